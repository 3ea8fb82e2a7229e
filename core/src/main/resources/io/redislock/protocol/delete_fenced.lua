-- Deletes the key unless a greater fencing token was accepted before: see set_fenced.
local last = redis.call('GET', KEYS[2])
if last and not string.match(last, '^%d+$') then
  return redis.error_reply('ERR ' .. KEYS[2] .. ' must hold the last fencing token and holds something else')
end
if last and tonumber(last) > tonumber(ARGV[1]) then
  return 0
end
redis.call('SET', KEYS[2], ARGV[1])
redis.call('DEL', KEYS[1])
return 1
