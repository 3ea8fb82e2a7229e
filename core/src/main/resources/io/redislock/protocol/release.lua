-- Deletes the key if it holds this value. Answers 1 deleted, 0 absent, -1 another value.
local holder = redis.call('GET', KEYS[1])
if not holder then
  return 0
end
if holder ~= ARGV[1] then
  return -1
end
redis.call('DEL', KEYS[1])
return 1
