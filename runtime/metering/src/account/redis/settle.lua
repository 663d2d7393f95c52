-- id, 'refund' | 'charge' | 'risk', charge, operation, attempt, request id, '1' if the service took the call, cool-down or '',
-- line or '', its price; then for each scope: name, share
local id, how, charge = ARGV[1], ARGV[2], num(ARGV[3])
local scopes, shares = {}, {}
for i = 11, #ARGV, 2 do
  scopes[#scopes + 1] = ARGV[i]
  shares[#shares + 1] = ARGV[i + 1]
end
lapse()
leave(id)

local ending = how
if how == 'charge' then
  ending = 'charge ' .. text(charge)
end
local ended = done_of(id)
if ended then
  -- That it may have cost something contradicts no person who said what.
  if ended == ending or (how == 'risk' and ended:match('^by hand')) then
    return { 'before' }
  end
  contradict(id, ending)
  return { 'conflict' }
end

if how == 'risk' and redis.call('HEXISTS', P .. 'risks', id) == 1 then
  return { 'before' }
end

if ARGV[8] ~= '' then
  local cool = math.max(now + num(ARGV[8]), num(redis.call('HGET', P .. 'state', 'cool')))
  redis.call('HSET', P .. 'state', 'cool', text(cool))
  redis.call('HDEL', P .. 'state', 'probe')
  redis.call('PUBLISH', P .. 'notices', 'cool ' .. text(cool - now))
elseif ARGV[7] == '1' and redis.call('HGET', P .. 'state', 'probe') == id and not cooling() then
  redis.call('HDEL', P .. 'state', 'probe', 'cool')
end
-- Arguments may be of any number.
local is_known = redis.call('HEXISTS', P .. 'prices', ARGV[9]) == 1
if ARGV[9] ~= '' and (is_known or redis.call('HLEN', P .. 'prices') < 1000) then
  redis.call('HSET', P .. 'prices', ARGV[9], ARGV[10])
end

local function spend(record, from)
  for i, scope in ipairs(record.scopes) do
    local share = num(record.shares[i])
    if from then
      add(scope, from, -share)
    end
    if how == 'charge' then
      add(scope, 'spent', charge)
      if charge > share then
        add(scope, 'surprises', 1)
      end
    end
  end
end

local function calls(record, by)
  for _, scope in ipairs(record.scopes) do
    add(scope, 'calls', by)
  end
end

local lease = lease_of(id)
if lease then
  if how == 'risk' then
    lease.operation, lease.attempt, lease.request = ARGV[4], ARGV[5], ARGV[6]
    to_risk(id, lease)
  else
    spend(lease, 'reserved')
    if how == 'charge' then
      calls(lease, 1)
    end
    end_lease(id)
    done(id, ending)
  end
  wake(lease.scopes)
  return { 'now' }
end

local risk = risk_of(id)
if risk then
  spend(risk, 'at_risk')
  if how == 'refund' then
    calls(risk, -1)
  end
  redis.call('HDEL', P .. 'risks', id)
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
  scopes = scopes, shares = shares, at = text(now), operation = ARGV[4], attempt = ARGV[5], request = ARGV[6],
}
count('strays')
if how == 'risk' then
  for i, scope in ipairs(scopes) do
    add(scope, 'at_risk', num(shares[i]))
  end
  redis.call('HSET', P .. 'risks', id, cjson.encode(stray))
else
  spend(stray)
  done(id, ending)
end
calls(stray, 1)
return { 'stray' }
