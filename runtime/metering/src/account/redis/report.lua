-- id, number of the report, lease, '1' if it is the last, charged, calls, surprises, returned, what calls in flight hold, number
-- of calls at risk; for each of them: id, amount, line or '', operation, attempt, request id,
-- idempotency key; then the scopes
local id, number, charged, returned = ARGV[1], num(ARGV[2]), num(ARGV[5]), num(ARGV[8])
local open, risks = num(ARGV[9]), num(ARGV[10])
local scopes, taken = {}, charged + returned
for i = 0, risks - 1 do
  taken = taken + num(ARGV[12 + 7 * i])
end
for i = 11 + 7 * risks, #ARGV do
  scopes[#scopes + 1] = ARGV[i]
end
lapse()

local function answer(is_lapsed, is_conflict)
  local lines = { is_lapsed and '1' or '0', is_conflict and '1' or '0', text(cooling() or 0) }
  for _, entry in ipairs(redis.call('HGETALL', P .. 'prices')) do
    lines[#lines + 1] = entry
  end
  return lines
end

local record, from = lease_of(id), 'reserved'
local is_lapsed = not record
if not record then
  record, from = risk_of(id), 'at_risk'
end
local known = done_of(id)
if record and num(record.reports) >= number then
  if not is_lapsed then
    redis.call('ZADD', P .. 'deadlines', now + num(ARGV[3]), id)
  end
  return answer(is_lapsed)
end
if known and num(known:match('^slice (%d+)$')) >= number then
  return answer(false)
end
if known and known:match('^by hand') then
  -- A person said what it cost: that stays.
  if charged > 0 then
    contradict(id, 'report ' .. text(number))
  end
  return answer(true, charged > 0)
end
local is_known = record
if not record then
  -- It has ended before, or the store lost it. What calls cost counts.
  if not known then
    count('strays')
  end
  record = { scopes = scopes, shares = {} }
end

-- The store lost a report: what the worker gives back may be what others have spent since. The rest of the slice is at risk.
local is_last = ARGV[4] == '1'
if is_known and not record.gap and number > num(record.reports) + 1 then
  record.gap = true
  count('strays')
end
local left, rest = {}, 0
for i, scope in ipairs(record.scopes) do
  local share = num(record.shares[i])
  -- A charge above its reservation takes nothing from calls in flight.
  local kept = math.max(is_known and open or 0, share - taken + (record.gap and returned or 0))
  if is_last and not record.gap then
    kept = 0
  end
  left[i] = text(kept)
  rest = math.max(rest, kept)
  add(scope, from, kept - share)
  add(scope, 'spent', charged)
  add(scope, 'calls', num(ARGV[6]) + risks)
  add(scope, 'surprises', num(ARGV[7]))
end
for i = 0, risks - 1 do
  local at = 11 + 7 * i
  local shares, amount = {}, priced(ARGV[at], ARGV[at + 2], ARGV[at + 1])
  for n, scope in ipairs(record.scopes) do
    shares[n] = amount
    add(scope, 'at_risk', num(amount))
  end
  redis.call('HSET', P .. 'risks', ARGV[at], cjson.encode({
    scopes = record.scopes, shares = shares, at = stamp, operation = ARGV[at + 3], attempt = ARGV[at + 4], request = ARGV[at + 5],
    key = ARGV[at + 6],
  }))
end

record.shares, record.reports = left, text(number)
if is_last and rest > 0 then
  if not is_lapsed then
    to_risk(id, record)
  else
    redis.call('HSET', P .. 'risks', id, cjson.encode(record))
  end
elseif is_last or not is_known then
  if is_lapsed and record.lapsed then
    for _, scope in ipairs(record.scopes) do
      add(scope, 'calls', -1)
    end
  end
  end_lease(id)
  redis.call('HDEL', P .. 'risks', id)
  done(id, 'slice ' .. text(number))
elseif is_lapsed then
  redis.call('HSET', P .. 'risks', id, cjson.encode(record))
else
  redis.call('HSET', P .. 'leases', id, cjson.encode(record))
  redis.call('ZADD', P .. 'deadlines', now + num(ARGV[3]), id)
end
wake(record.scopes)
return answer(is_lapsed)
