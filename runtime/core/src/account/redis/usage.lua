-- scope
while lapse() do
end
local bounded = limit(ARGV[1])
if not bounded then
  return { 'gone' }
end
local answer = { text(bounded) }
for _, field in ipairs({ 'spent', 'reserved', 'at_risk', 'calls', 'surprises' }) do
  answer[#answer + 1] = text(get(ARGV[1], field))
end
answer[#answer + 1] = text(redis.call('ZCARD', P .. 'deadlines'))
for _, field in ipairs({ 'lapsed', 'conflicts', 'strays' }) do
  answer[#answer + 1] = text(num(redis.call('HGET', P .. 'state', field)))
end
return answer
