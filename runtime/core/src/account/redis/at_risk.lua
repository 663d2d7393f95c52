-- path. For each call: when, id, amount, '1' if its lease ended, operation, attempt, request id, idempotency key
while lapse() do
end
local calls = {}
local records = redis.call('HGETALL', P .. 'risks')
for i = 1, #records, 2 do
  local record = cjson.decode(records[i + 1])
  for _, scope in ipairs(record.scopes) do
    if scope:match('^[^@]*') == ARGV[1] then
      calls[#calls + 1] = {
        record.at, records[i], record.share, record.lapsed and '1' or '0', record.operation, record.attempt,
        record.request or '', record.key or '',
      }
    end
  end
end
table.sort(calls, function(one, other)
  return num(one[1]) < num(other[1]) or (num(one[1]) == num(other[1]) and one[2] < other[2])
end)
local answer = {}
for i = 1, math.min(#calls, 10000) do
  for _, part in ipairs(calls[i]) do
    answer[#answer + 1] = part
  end
end
return answer
