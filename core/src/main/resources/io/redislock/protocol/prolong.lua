-- As extend, but never shortens, so a late copy does no harm. A key without expiry (PTTL -1) gets one again.
local holder = redis.call('GET', KEYS[1])
if not holder then
  return 0
end
if holder ~= ARGV[1] then
  return -1
end
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  -- So that the key stays watched, see acquire.
  redis.call('PTTL', KEYS[1])
end
return 1
