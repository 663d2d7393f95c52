-- id, charge
local id, charge = ARGV[1], num(ARGV[2])
lapse()
local record = risk_of(id)
if not record then
  return { '0' }
end
for i, scope in ipairs(record.scopes) do
  local share = num(record.shares[i])
  add(scope, 'at_risk', -share)
  add(scope, 'spent', charge)
  if charge > share then
    add(scope, 'surprises', 1)
  end
end
redis.call('HDEL', P .. 'risks', id)
-- A worker that comes back later is told.
done(id, 'by hand ' .. text(charge), 10 * KNOWN)
wake(record.scopes)
return { '1' }
