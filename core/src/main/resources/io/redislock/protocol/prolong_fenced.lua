-- As prolong, and the last fencing token is kept from now on; if it was lost, it is this lease's again. Whatever
-- happens to that must not cost the lease.
local holder = redis.call('GET', KEYS[1])
if not holder then
  return 0
end
if holder ~= ARGV[1] then
  return -1
end
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
-- So that the key stays watched, see acquire; and then the write that lets the other one go, see acquire_fenced.
redis.call('PTTL', KEYS[1])
local last = redis.pcall('GET', KEYS[2])
if type(last) ~= 'string' or not string.match(last, '^%d+$') or tonumber(last) < tonumber(ARGV[4]) then
  redis.pcall('SET', KEYS[2], ARGV[4], 'PX', ARGV[3])
else
  local kept = redis.call('PTTL', KEYS[2])
  redis.call('PEXPIRE', KEYS[2], string.format('%.0f', math.max(kept, tonumber(ARGV[3]))))
end
return 1
