-- Deletes the key unless a greater fencing token was accepted before: see set_fenced.
if redis.call('EXISTS', KEYS[3]) == 1 then
  return redis.error_reply('ERR this is the key of a fenced lock, and without it another could take the lock')
end
local last = redis.call('GET', KEYS[2])
if last and not string.match(last, '^%d+$') then
  return redis.error_reply('ERR the last fencing token is no number')
end
if last and tonumber(last) > tonumber(ARGV[1]) then
  return 0
end
if last ~= ARGV[1] then
  redis.call('SET', KEYS[2], ARGV[1])
end
redis.call('DEL', KEYS[1])
return 1
