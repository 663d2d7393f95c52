-- scope, then 'raise' and by how much, negative to lower the limit; 'freeze' and the reason; or 'thaw'
local bounded = limit(ARGV[1])
if not bounded then
  return { 'gone' }
end
local path = ARGV[1]:match('^[^@]*')
if ARGV[2] == 'raise' then
  bounded = math.max(0, math.min(MOST, bounded + num(ARGV[3])))
  redis.call('HSET', P .. 'limits', path, text(bounded))
elseif ARGV[2] == 'freeze' then
  redis.call('HSET', P .. 'limits', '!' .. path, ARGV[3])
else
  redis.call('HDEL', P .. 'limits', '!' .. path)
end
-- Those that wait are served, or refused, one after the other.
wake({ ARGV[1] })
return { 'changed' }
