-- Takes the key for a token if it is absent. Answers -3 when the token has it, else the holder's PTTL.
-- Ends with a read in every case: under CLIENT TRACKING what was read last is watched, and a write forgets it.
local holder = redis.call('GET', KEYS[1])
if not holder then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  redis.call('PTTL', KEYS[1])
  return -3
end
local remaining = redis.call('PTTL', KEYS[1])
if holder ~= ARGV[1] then
  return remaining
end
-- Ours already: this is a copy of a command whose reply was lost. It may come so late that the lease was extended in
-- between, so it never shortens. A key without expiry (-1) gets one again.
if remaining < tonumber(ARGV[2]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  redis.call('PTTL', KEYS[1])
end
return -3
