-- id, charge
local id, charge = ARGV[1], num(ARGV[2])
lapse()
local by_hand = 'by hand ' .. text(charge)
local record = risk_of(id)
if not record then
  return { done_of(id) == by_hand and '1' or '0' }
end
local share = num(record.share)
for _, scope in ipairs(record.scopes) do
  move(scope, 'at_risk', share, 'spent', charge, 0)
  if charge > share then
    add(scope, 'surprises', 1)
  end
end
end_risk(id)
-- A worker that comes back later is told.
done(id, by_hand, text(10 * KNOWN))
wake(record.scopes)
return { '1' }
