-- charge; then the scope, and those above it
local charge, scopes, above = num(ARGV[1]), {}, {}
for i = 2, #ARGV do
  scopes[#scopes + 1] = ARGV[i]
  above[ARGV[i]] = true
end
while lapse() do
end

local known, below = {}, {}
local records = redis.call('HGETALL', P .. 'risks')
for i = 1, #records, 2 do
  local record = cjson.decode(records[i + 1])
  local is_own = false
  for _, scope in ipairs(record.scopes) do
    is_own = is_own or scope == scopes[1]
  end
  if is_own then
    for n, scope in ipairs(record.scopes) do
      known[scope] = (known[scope] or 0) + num(record.shares[n])
      if not above[scope] then
        below[scope] = true
      end
    end
    end_risk(records[i])
    done(records[i], 'by hand', text(10 * KNOWN))
  end
end
for _, scope in ipairs(scopes) do
  add(scope, 'at_risk', -(known[scope] or 0))
  add(scope, 'spent', charge)
  if charge > (known[scope] or 0) then
    add(scope, 'surprises', 1)
  end
end
-- Which of the scopes below was charged is unknown: each counts the most that it can have spent.
for scope in pairs(below) do
  add(scope, 'at_risk', -known[scope])
  add(scope, 'spent', math.min(known[scope], charge))
  wake_queue(scope)
end
wake(scopes)
return { '1' }
