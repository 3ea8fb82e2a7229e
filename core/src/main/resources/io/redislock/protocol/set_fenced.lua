-- Sets the key unless a greater fencing token was accepted before. Answers 1 accepted, 0 stale. Equal is accepted: the
-- holder of a token may write more than once.
if redis.call('EXISTS', KEYS[3]) == 1 then
  return redis.error_reply('ERR this is the key of a fenced lock, and a write to it would lock everybody out')
end
local last = redis.call('GET', KEYS[2])
if last and not string.match(last, '^%d+$') then
  return redis.error_reply('ERR the last fencing token is no number')
end
if last and tonumber(last) > tonumber(ARGV[1]) then
  return 0
end
-- The token first and without expiry: should the write fail, older ones are refused all the same.
if last ~= ARGV[1] then
  redis.call('SET', KEYS[2], ARGV[1])
end
redis.call('SET', KEYS[1], ARGV[2])
return 1
