-- As acquire, and mints a fencing token: greater than the last one of this key, and not below the server's time in
-- microseconds, which takes the place of a last one that was lost. Answers the token negated, else the holder's PTTL.
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then
  return redis.call('PTTL', KEYS[1])
end
-- First what may fail, while nothing is taken yet.
local last = redis.call('GET', KEYS[2])
if last and not string.match(last, '^%d+$') then
  return redis.error_reply('ERR the last fencing token is no number')
end
local token = tonumber(last or '0')
-- A copy of a command whose reply was lost finds its own one, unless that was lost as well. What is below 4 was never
-- minted, and would be taken for another answer.
if not (holder and token > 3) then
  local time = redis.call('TIME')
  token = math.max(token + 1, time[1] * 1000000 + time[2])
end
-- From 2^53 on, adding one may change nothing.
if token >= 9007199254740992 then
  return redis.error_reply('ERR the last fencing token is the greatest there can be')
end
local kept = redis.call('PTTL', KEYS[2])
-- Not tostring, which gives 14 digits.
redis.call('SET', KEYS[2], string.format('%.0f', token))
if not holder then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
elseif redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
redis.call('PTTL', KEYS[1])
-- Last, because a read watches every key of a script, and who has minted once need not be told of later ones.
redis.call('PEXPIRE', KEYS[2], string.format('%.0f', math.max(kept, tonumber(ARGV[3]))))
return -token
