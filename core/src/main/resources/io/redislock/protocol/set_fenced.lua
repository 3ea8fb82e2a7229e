-- Sets the key unless a greater fencing token was accepted before. Answers 1 accepted, 0 stale. Equal is accepted: the
-- holder of a token may write more than once.
local last = redis.call('GET', KEYS[2])
if last and not string.match(last, '^%d+$') then
  return redis.error_reply('ERR ' .. KEYS[2] .. ' must hold the last fencing token and holds something else')
end
if last and tonumber(last) > tonumber(ARGV[1]) then
  return 0
end
-- The token first and without expiry: should the write fail, older ones are refused all the same.
redis.call('SET', KEYS[2], ARGV[1])
redis.call('SET', KEYS[1], ARGV[2])
return 1
