-- scope, percent, id
while lapse() do
end
local bounded = limit(ARGV[1])
if not bounded then
  return { 'gone' }
end
if not has_used(ARGV[1], bounded, num(ARGV[2])) then
  return { '0' }
end
local key, field = P .. 'scope:' .. ARGV[1], 'told:' .. ARGV[2]
redis.call('HSETNX', key, field, ARGV[3])
return { redis.call('HGET', key, field) == ARGV[3] and '1' or '0' }
