-- As prolong, and the last fencing token is kept from now on. If it was lost, it is this lease's again.
local holder = redis.call('GET', KEYS[1])
if not holder then
  return 0
end
if holder ~= ARGV[1] then
  return -1
end
-- Whatever else stands there must not cost the lease.
if (tonumber(redis.pcall('GET', KEYS[2])) or 0) < tonumber(ARGV[4]) then
  redis.call('SET', KEYS[2], ARGV[4], 'PX', ARGV[3])
else
  redis.call('PEXPIRE', KEYS[2], ARGV[3])
end
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  -- So that the key stays watched, see acquire.
  redis.call('PTTL', KEYS[1])
end
return 1
