-- Does what ../c/example.c does: luajit example.lua game.plan moria
local bit, Mill = require("bit"), require("rollmill")

local file = assert(io.open(arg[1], "rb"))
local mill = Mill.open(file:read("*a"), arg[2])
file:close()
local loot, pools = mill:find("loot"), mill:find("pools")

local player = mill:fork(mill:key(loot), "player/7")
local rolls, quantities = mill:many(loot, player, 0, 5, true)
for k = 0, 4 do print("roll " .. rolls[k] .. " x " .. quantities[k]) end

local state = mill:save()
local first = mill:draw(pools, 0, mill:key(pools), 3)
mill:load(state)
local again = mill:draw(pools, 0, mill:key(pools), 3)
for k = 0, 2 do print("draw " .. first[k] .. ", again " .. again[k]) end

local digest, all = bit.tobit(2166136261), mill:many(loot, mill:key(loot), 0, 1000000)
for k = 0, 999999 do -- FNV-1a. 16777619 is 2^24 + 403: the whole product would not fit into a number of Lua
  local mixed = bit.bxor(digest, all[k])
  digest = bit.tobit(mixed * 403 + bit.lshift(mixed, 24))
end
print("digest " .. bit.tohex(digest))
