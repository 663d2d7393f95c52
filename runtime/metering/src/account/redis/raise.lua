-- scope, by
local bounded = limit(ARGV[1])
if not bounded then
  return { 'gone' }
end
redis.call('HSET', P .. 'limits', ARGV[1]:match('^[^@]*'), text(math.min(MOST, bounded + num(ARGV[2]))))
wake({ ARGV[1] })
return { 'raised' }
