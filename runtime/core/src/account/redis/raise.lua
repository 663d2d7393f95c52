-- scope, by how much: negative to lower the limit
local bounded = limit(ARGV[1])
if not bounded then
  return { 'gone' }
end
bounded = math.max(0, math.min(MOST, bounded + num(ARGV[2])))
redis.call('HSET', P .. 'limits', ARGV[1]:match('^[^@]*'), text(bounded))
wake({ ARGV[1] })
return { 'raised' }
