-- path, limit or '' to take the one that it has
if ARGV[2] ~= '' then
  redis.call('HSETNX', P .. 'limits', ARGV[1], ARGV[2])
end
return { redis.call('HGET', P .. 'limits', ARGV[1]) or '', stamp }
