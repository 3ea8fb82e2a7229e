-- Strict SET NX for a value that two callers may share. Answers 1 taken, 0 busy, 2 busy with an equal value. The GET
-- also tells by its error when the key is no string, on which SET NX alone would be busy for ever, and lets the key be
-- watched, see acquire.
local taken = redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])
local holder = redis.call('GET', KEYS[1])
if taken then
  return 1
end
if holder == ARGV[1] then
  return 2
end
return 0
