-- scope, 'freeze' and the reason, or 'thaw'
if not limit(ARGV[1]) then
  return { 'gone' }
end
local path = '!' .. ARGV[1]:match('^[^@]*')
if ARGV[2] == 'freeze' then
  redis.call('HSET', P .. 'limits', path, ARGV[3])
else
  redis.call('HDEL', P .. 'limits', path)
end
-- Those that wait are refused, one after the other.
wake({ ARGV[1] })
return { 'done' }
