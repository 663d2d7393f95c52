-- Whether so many percent of a limit are spent or at risk. Their product may be too large for an exact number.
local function has_used(scope, bounded, percent)
  local part = math.floor(bounded / 100) * percent + bounded % 100 * percent / 100
  return bounded > 0 and get(scope, 'spent') + get(scope, 'at_risk') >= part
end
