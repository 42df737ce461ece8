-- What check.py does, in LuaJIT and LÖVE.
local ffi, Mill = require("ffi"), require("rollmill")
local file = assert(io.open(arg[1], "rb"))
local mill, count = Mill.open(file:read("*a"), arg[2]), tonumber(arg[3])
local function put(numbers, n) io.stdout:write(ffi.string(numbers, 4 * n)) end
local function say(numbers, n)
  local texts = {}
  for k = 0, n - 1 do texts[#texts + 1] = tostring(numbers[k]) end
  io.stderr:write(table.concat(texts, " "), "\n")
end
local function refused(call, ...)
  local _, refusal = pcall(call, ...)
  return refusal
end

for noun = 0, mill:count() - 1 do
  local width, key = mill:width(noun), mill:key(noun)
  local n, pool, refusal = math.floor(count / math.max(1, width)) + 1, 0, nil
  if width > 0 then
    local results, quantities = mill:many(noun, key, 1000, n, mill:has_quantities(noun))
    put(results, n * width)
    if quantities then put(quantities, n * width) end
  end
  while width == 0 and not refusal do
    refusal = refused(function() put(mill:draw(noun, pool, key, n)) end)
    pool = pool + 1
  end
  if refusal then assert(refusal.status == 11) end
end

local hp, bag = mill:find("hp"), mill:find("bag")
say(mill:many(hp, mill:fork(mill:fork(mill:fork(mill:key(hp), "é/7"), -5), -1, 2), 0, 5), 5)
local state = mill:save()
say(mill:draw(bag, 1, mill:key(bag), 9))
mill:load(state)
say(mill:draw(bag, 1, mill:key(bag), 9))
io.stderr:write(select(2, mill:about(mill:find("chest"))), "\n")
io.stderr:write(refused(mill.load, mill, state:gsub("^.", "x")).message, "\n")
io.stderr:write(refused(mill.find, mill, "nothing").message, "\n")
mill:close()
assert(refused(mill.count, mill):find("closed"))
assert(refused(Mill.open, "", "moria").status == 7)
