-- scope, by
local bounded = limit(ARGV[1])
if not bounded then
  return { 'gone' }
end
bounded = math.min(MOST, bounded + num(ARGV[2]))
redis.call('HSET', P .. 'limits', ARGV[1]:match('^[^@]*'), text(bounded))
for _, field in ipairs(redis.call('HKEYS', P .. 'scope:' .. ARGV[1])) do
  local percent = field:match('^told:(%d+)$')
  if percent and not has_used(ARGV[1], bounded, num(percent)) then
    redis.call('HDEL', P .. 'scope:' .. ARGV[1], field)
  end
end
wake({ ARGV[1] })
return { 'raised' }
