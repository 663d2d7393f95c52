-- id, 'refund' | 'charge' | 'risk', charge, operation, attempt, request id, idempotency key, line or '', its price, the amount that was granted
-- or 0; then the scopes
local id, how = ARGV[1], ARGV[2]
local charge = how == 'charge' and num(ARGV[3]) or 0
local scopes = {}
for i = 11, #ARGV do
  scopes[#scopes + 1] = ARGV[i]
end
lapse()
leave(id)

local ending = how
if how == 'charge' then
  ending = 'charge ' .. ARGV[3]
end
-- What has ended holds no lease.
local lease = lease_of(id)
local ended = not lease and done_of(id)
if ended then
  -- That it may have cost something contradicts no person who said what.
  if ended == ending or (how == 'risk' and ended:match('^by hand')) then
    return { 'before' }
  end
  contradict(id, ending)
  return { 'conflict' }
end

if how == 'risk' and not lease and redis.call('HEXISTS', P .. 'risks', id) == 1 then
  return { 'before' }
end

-- Arguments may be of any number.
if ARGV[8] ~= '' then
  local known = redis.call('HGET', P .. 'prices', ARGV[8])
  if known ~= ARGV[9] and (known or redis.call('HLEN', P .. 'prices') < 1000) then
    redis.call('HSET', P .. 'prices', ARGV[8], ARGV[9])
    -- The first price of a line: calls that were lost before have it at risk.
    local price = num(ARGV[9])
    local unpriced = num(known) == 0 and price > 0 and redis.call('HGETALL', P .. 'unpriced') or {}
    for i = 1, #unpriced, 2 do
      if unpriced[i + 1] == ARGV[8] then
        redis.call('HDEL', P .. 'unpriced', unpriced[i])
        local record = risk_of(unpriced[i]) or { scopes = {} }
        for _, scope in ipairs(record.scopes) do
          add(scope, 'at_risk', -num(record.share))
          add(scope, 'at_risk', price)
        end
        if record.share then
          record.share = text(price)
          redis.call('HSET', P .. 'risks', unpriced[i], cjson.encode(record))
          wake(record.scopes)
        end
      end
    end
  end
end

local function spend(record, from, calls)
  local share = num(record.share)
  for _, scope in ipairs(record.scopes) do
    move(scope, from, share, 'spent', charge, calls)
    if charge > share then
      add(scope, 'surprises', 1)
    end
  end
end

if lease then
  if how == 'risk' then
    lease.operation, lease.attempt, lease.request, lease.key = ARGV[4], ARGV[5], ARGV[6], ARGV[7]
    to_risk(id, lease)
  else
    spend(lease, 'reserved', how == 'charge' and 1 or 0)
    end_lease(id)
    done(id, ending)
  end
  wake(lease.scopes)
  return { 'now' }
end

local risk = risk_of(id)
if risk then
  spend(risk, 'at_risk', how == 'refund' and -1 or 0)
  end_risk(id)
  done(id, ending)
  wake(risk.scopes)
  return { 'late' }
end

if how == 'refund' then
  -- It waited, or the answer that granted it was lost. A request that is still under way finds that it has ended.
  done(id, ending)
  wake(scopes)
  return { 'now' }
end
local stray = {
  scopes = scopes, share = ARGV[10], at = stamp, operation = ARGV[4], attempt = ARGV[5], request = ARGV[6],
  key = ARGV[7],
}
count('strays')
local share = num(ARGV[10])
for _, scope in ipairs(scopes) do
  add(scope, how == 'risk' and 'at_risk' or 'spent', how == 'risk' and share or charge)
  add(scope, 'calls', 1)
  if charge > share then
    add(scope, 'surprises', 1)
  end
end
if how == 'risk' then
  redis.call('HSET', P .. 'risks', id, cjson.encode(stray))
else
  done(id, ending)
end
return { 'stray' }
