-- 'prices' | 'cool-down'
if ARGV[1] == 'prices' then
  redis.call('DEL', P .. 'prices')
else
  redis.call('HDEL', P .. 'state', 'cool', 'probe', 'probed')
  redis.call('PUBLISH', P .. 'notices', 'ended')
end
return {}
