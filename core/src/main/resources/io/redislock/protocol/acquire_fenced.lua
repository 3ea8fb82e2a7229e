-- As acquire, and mints a fencing token: greater than the last one of this key, and not below the server's time in
-- microseconds, which takes the place of a last one that was lost. Answers the token negated, else the holder's PTTL.
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then
  return redis.call('PTTL', KEYS[1])
end
-- First what may fail, while nothing is taken yet.
local last = redis.call('GET', KEYS[2])
if last and not string.match(last, '^%d+$') then
  return redis.error_reply('ERR ' .. KEYS[2] .. ' must hold the last fencing token and holds something else')
end
local token = tonumber(last or '0')
-- A copy of a command whose reply was lost finds its own one, unless that was lost as well.
if not (holder and last) then
  local time = redis.call('TIME')
  token = math.max(token + 1, time[1] * 1000000 + time[2])
end
-- From 2^53 on, adding one may change nothing.
if token >= 9007199254740992 then
  return redis.error_reply('ERR ' .. KEYS[2] .. ' holds the greatest fencing token there can be')
end
-- Not tostring, which gives 14 digits.
redis.call('SET', KEYS[2], string.format('%.0f', token), 'PX', ARGV[3])
if not holder then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
elseif redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
redis.call('PTTL', KEYS[1])
return -token
