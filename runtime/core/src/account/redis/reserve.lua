-- id, amount, lease, patience, bound of reservations or '', line, operation, attempt, idempotency key or '', what is at risk if its price
-- stays unknown or ''; then for each scope: name, from, until
local id, amount, lease, patience, bound, line = ARGV[1], num(ARGV[2]), num(ARGV[3]), num(ARGV[4]), ARGV[5], ARGV[6]
local scopes, limits, frozen, is_other_period = {}, {}, {}, false
for i = 11, #ARGV, 3 do
  scopes[#scopes + 1] = ARGV[i]
  limits[#scopes], frozen[#scopes] = limit(ARGV[i])
  if ARGV[i + 1] ~= '' and (now < num(ARGV[i + 1]) or now >= num(ARGV[i + 2])) then
    is_other_period = true
  end
  if not limits[#scopes] then
    -- Without a limit nothing may be spent: the store has lost the account.
    return { 'gone' }
  end
end
lapse()

local function granted()
  return { 'granted', redis.call('HGET', P .. 'prices', line) or '', stamp }
end

local function refused(i, how, reason)
  local sums = redis.call('HMGET', P .. 'scope:' .. scopes[i], 'spent', 'reserved', 'at_risk')
  leave(id)
  return { how, text(i - 1), text(limits[i]), text(num(sums[1])), text(num(sums[2])), text(num(sums[3])), reason }
end

local record = lease_of(id)
local is_elsewhere = record and #record.scopes ~= #scopes
for i, scope in ipairs(record and record.scopes or {}) do
  is_elsewhere = is_elsewhere or scope ~= scopes[i]
end
if record and not is_elsewhere then
  leave(id)
  redis.call('ZADD', P .. 'deadlines', text(now + lease), id)
  return granted()
end
if redis.call('EXISTS', P .. 'done:' .. id) == 1 or redis.call('HEXISTS', P .. 'risks', id) == 1 or is_elsewhere then
  leave(id)
  return { 'ended' }
end
for i = 1, #scopes do
  if frozen[i] then
    return refused(i, 'frozen', frozen[i])
  end
end
if is_other_period then
  leave(id)
  return { 'period', stamp }
end

local waiter = is_waited and redis.call('HGET', P .. 'waiters', id)
local place = waiter and num(waiter:match('^%d+ (%d+)'))
local function is_behind(scope)
  local first = head(scope)
  return first and first ~= id and (not place or num(redis.call('ZSCORE', P .. 'queue:' .. scope, first)) < place)
end

local function wait(scope)
  local _, before = forget(id)
  if before and before ~= scope then
    wake_queue(before)
  end
  if not place then
    place = redis.call('HINCRBY', P .. 'state', 'place', 1)
  end
  redis.call('HSET', P .. 'waiters', id, text(now + patience) .. ' ' .. text(place) .. ' ' .. scope)
  redis.call('ZADD', P .. 'queue:' .. scope, place, id)
  return { 'waiting' }
end

if bound ~= '' and (is_behind(FLIGHT) or redis.call('ZCARD', P .. 'deadlines') >= num(bound)) then
  return wait(FLIGHT)
end

local rooms, held = {}, {}
if amount > 0 then
  local unspent = {}
  for i, scope in ipairs(scopes) do
    local sums = redis.call('HMGET', P .. 'scope:' .. scope, 'spent', 'reserved', 'at_risk')
    local spent, reserved, at_risk = num(sums[1]), num(sums[2]), num(sums[3])
    held[i], unspent[i] = reserved, limits[i] - spent - at_risk
    if amount > math.max(0, unspent[i]) then
      return refused(i, 'refused')
    end
  end
  for i, scope in ipairs(scopes) do
    rooms[i] = math.max(0, unspent[i] - held[i])
    if is_behind(scope) or amount > rooms[i] then
      return wait(scope)
    end
  end
end

for i, scope in ipairs(scopes) do
  if rooms[i] then
    redis.call('HSET', P .. 'scope:' .. scope, 'reserved', sum(held[i], amount))
  end
  local ends = ARGV[11 + 3 * (i - 1) + 2]
  if ends ~= '' and num(ends) < MOST - KEPT then
    redis.call('PEXPIREAT', P .. 'scope:' .. scope, text(num(ends) + KEPT))
  end
end
local kept = { scopes = scopes, share = ARGV[2], operation = ARGV[7], attempt = ARGV[8] }
if ARGV[9] ~= '' then
  kept.key = ARGV[9]
end
if ARGV[10] ~= '' then
  kept.line, kept.risk = line, ARGV[10]
end
redis.call('HSET', P .. 'leases', id, cjson.encode(kept))
redis.call('ZADD', P .. 'deadlines', text(now + lease), id)
-- The next has its turn only where there is room left.
forget(id)
for i, scope in ipairs(scopes) do
  if rooms[i] and rooms[i] > amount then
    wake_queue(scope)
  end
end
if is_waited and (bound == '' or redis.call('ZCARD', P .. 'deadlines') < num(bound)) then
  wake_queue(FLIGHT)
end
return granted()
