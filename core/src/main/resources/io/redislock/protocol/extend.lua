-- Sets the expiry if the key holds this value. Answers 1 done, 0 absent, -1 another value.
local holder = redis.call('GET', KEYS[1])
if not holder then
  return 0
end
if holder ~= ARGV[1] then
  return -1
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
-- So that the key stays watched, see acquire.
redis.call('PTTL', KEYS[1])
return 1
