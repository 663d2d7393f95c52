-- What all steps have in common. KEYS[1] is the prefix of all keys of the account; its hash tag keeps them in one slot.
--
-- <prefix>limits            hash: path -> limit in millionths of a credit; !path -> why nothing may be reserved
-- <prefix>scope:<scope>     hash: spent, reserved, at_risk, calls, surprises. A scope is a path, or path@period
-- <prefix>leases            hash: id -> record of a reservation; <prefix>deadlines sorts the ids by the end of their leases
-- <prefix>risks             hash: id -> record of a call at risk
-- <prefix>done:<id>         how a reservation ended, for repetitions of its settlement
-- <prefix>waiters           hash: id -> deadline, place and queue of a wait; <prefix>queue:<scope> sorts the ids by place
-- <prefix>prices            hash: line -> price; <prefix>unpriced: id of a call at risk -> its line, before that has a price
-- <prefix>state             hash: the next place; counters
-- Channel: <prefix>turns:<process> tells a process of its turns.
local P = KEYS[1]
local MOST = 9007199254740991
-- How long an ending is known, and a period after its end.
local KNOWN, KEPT = '900000', 7776000000
local FLIGHT = '!flight'

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
-- With nobody waiting there are no queues to look at.
local is_waited = redis.call('HLEN', P .. 'waiters') > 0

-- The digits of a whole number. The format `%.0f` takes longer than a command, and `%d` may have 32 bits.
local function text(n)
  if n < 1000000000 then
    return string.format('%d', n)
  end
  local low = n % 1000000000
  return string.format('%d%09d', (n - low) / 1000000000, low)
end
local stamp = text(now)

local function num(value)
  return tonumber(value or 0) or 0
end

local function get(scope, field)
  return num(redis.call('HGET', P .. 'scope:' .. scope, field))
end

local function sum(before, by)
  return text(math.max(0, math.min(MOST, num(before) + by)))
end

local function add(scope, field, by)
  redis.call('HSET', P .. 'scope:' .. scope, field, sum(get(scope, field), by))
end

-- Takes a share out of where it was held, and counts it elsewhere: one command to read and one to write.
local function move(scope, from, share, to, amount, calls)
  local key = P .. 'scope:' .. scope
  local sums = redis.call('HMGET', key, from, to, 'calls')
  redis.call('HSET', key, from, sum(sums[1], -share), to, sum(sums[2], amount), 'calls', sum(sums[3], calls))
end

local function count(field)
  redis.call('HINCRBY', P .. 'state', field, 1)
end

-- The limit, and the reason of a freeze. nil: no limit.
local function limit(scope)
  local path = scope:match('^[^@]*')
  local found = redis.call('HMGET', P .. 'limits', path, '!' .. path)
  return tonumber(found[1] or ''), found[2]
end

-- The first of a queue that still asks.
local function head(scope)
  local queue = P .. 'queue:' .. scope
  while is_waited do
    local first = redis.call('ZRANGE', queue, 0, 0)[1]
    if not first then
      return nil
    end
    local waiter = redis.call('HGET', P .. 'waiters', first)
    if waiter and num(waiter:match('^%d+')) > now then
      return first
    end
    redis.call('ZREM', queue, first)
    redis.call('HDEL', P .. 'waiters', first)
  end
end

-- Tells the first of a queue. An id begins with its process: no other one is told.
local function wake_queue(scope)
  local first = is_waited and head(scope)
  if first then
    redis.call('PUBLISH', P .. 'turns:' .. first:match('^[^-]*'), 'turn ' .. first)
  end
end

local function wake(scopes)
  for _, scope in ipairs(scopes) do
    wake_queue(scope)
  end
  wake_queue(FLIGHT)
end

-- Takes a waiter out of its queue. Returns its place and its queue.
local function forget(id)
  local waiter = is_waited and redis.call('HGET', P .. 'waiters', id)
  if not waiter then
    return nil
  end
  local place, scope = waiter:match('^%d+ (%d+) (.*)$')
  redis.call('ZREM', P .. 'queue:' .. scope, id)
  redis.call('HDEL', P .. 'waiters', id)
  return num(place), scope
end

-- Gives up a place: the next may have its turn.
local function leave(id)
  local _, scope = forget(id)
  if scope then
    wake_queue(scope)
  end
end

local function lease_of(id)
  local record = redis.call('HGET', P .. 'leases', id)
  return record and cjson.decode(record)
end

local function risk_of(id)
  local record = redis.call('HGET', P .. 'risks', id)
  return record and cjson.decode(record)
end

local function end_lease(id)
  redis.call('HDEL', P .. 'leases', id)
  redis.call('ZREM', P .. 'deadlines', id)
end

local function end_risk(id)
  redis.call('HDEL', P .. 'risks', id)
  redis.call('HDEL', P .. 'unpriced', id)
end

-- What a lost call of unknown price has at risk: its price once that is known, which corrects `expected`.
local function priced(id, line, expected)
  local price = line ~= '' and num(redis.call('HGET', P .. 'prices', line)) or 0
  if price > 0 then
    return text(price)
  end
  if line ~= '' then
    redis.call('HSET', P .. 'unpriced', id, line)
  end
  return expected
end

local function to_risk(id, record)
  local share = record.share
  record.share = record.risk and priced(id, record.line, record.risk) or share
  for _, scope in ipairs(record.scopes) do
    move(scope, 'reserved', num(share), 'at_risk', num(record.share), 1)
  end
  end_lease(id)
  record.at = stamp
  redis.call('HSET', P .. 'risks', id, cjson.encode(record))
end

-- Leases that have ended are at risk, never free. Returns whether there may be more.
local function lapse()
  local ended = redis.call('ZRANGEBYSCORE', P .. 'deadlines', '-inf', stamp, 'LIMIT', '0', '100')
  for _, id in ipairs(ended) do
    local record = lease_of(id)
    if record then
      record.lapsed = true
      to_risk(id, record)
      count('lapsed')
      wake(record.scopes)
    else
      redis.call('ZREM', P .. 'deadlines', id)
    end
  end
  return #ended == 100
end

local function done(id, how, known)
  redis.call('SET', P .. 'done:' .. id, how, 'PX', known or KNOWN)
end

-- How a reservation ended, and what said otherwise last.
local function done_of(id)
  local ended = redis.call('GET', P .. 'done:' .. id)
  if ended then
    return ended:match('^([^|]*)|?(.*)$')
  end
end

-- Counts what contradicts an ending, however often it is repeated.
local function contradict(id, by)
  local how, last = done_of(id)
  if last ~= by then
    redis.call('SET', P .. 'done:' .. id, how .. '|' .. by, 'KEEPTTL')
    count('conflicts')
  end
end
