-- Rollmill for LuaJIT and LÖVE: opens plan files with the C library (see rollmill.h). Results are C arrays of int32_t,
-- which begin at 0. A call that is refused raises a table with the number `status` and the sentence `message`.
local ffi = require("ffi")
ffi.cdef [[
  typedef struct rm_mill rm_mill;
  const char *rm_error(int status);
  int rm_open(const char *plan, size_t plan_bytes, const char *seed, size_t seed_bytes, rm_mill **mill);
  void rm_close(rm_mill *);
  uint32_t rm_count(const rm_mill *);
  int rm_find(const rm_mill *, const char *name, size_t name_bytes, uint32_t *noun);
  int rm_about(const rm_mill *, uint32_t noun, int *kind, const char **name, size_t *, const char **labels, size_t *);
  uint64_t rm_noun_key(const rm_mill *, uint32_t noun);
  int rm_fork_text(rm_mill *, uint64_t parent, const char *id, size_t id_bytes, uint64_t *key);
  int rm_fork_integer(rm_mill *, uint64_t parent, int64_t id, uint64_t *key);
  int rm_fork_pair(rm_mill *, uint64_t parent, int32_t first, int32_t second, uint64_t *key);
  uint32_t rm_width(rm_mill *, uint32_t noun);
  int rm_has_quantities(rm_mill *, uint32_t noun);
  int rm_many(rm_mill *, uint32_t noun, uint64_t key, uint64_t from, size_t count, int32_t *results, int32_t *amounts);
  int rm_draw(rm_mill *, uint32_t family, uint32_t pool, uint64_t key, size_t count, int32_t *records, size_t *drawn);
  size_t rm_state_bytes(rm_mill *);
  int rm_state_save(rm_mill *, char *state, size_t bytes);
  int rm_state_load(rm_mill *, const char *state, size_t bytes);
]]
local Refused = { __tostring = function(self) return "rollmill: " .. self.message end }
local Mill = {}
Mill.__index = Mill

local function check(library, status)
  if status == 0 or status == 6 then return end -- 6: nothing is left to draw
  error(setmetatable({ status = status, message = ffi.string(library.rm_error(status)) }, Refused))
end

-- FFI would cut a number that is not whole, or too large.
local function whole(number, bits)
  local is_exact = type(number) ~= "number" or number % 1 == 0 and math.abs(number + 0.5) < 2 ^ (bits or 63)
  return is_exact and number or error(number .. " is not a whole number, or out of range", 3)
end

-- Opens the bytes of a plan file. `library` is the path of the shared library, or its name for the loader.
function Mill.open(plan, seed, library)
  local self, opened = setmetatable({ _library = ffi.load(library or "rollmill") }, Mill), ffi.new("rm_mill *[1]")
  seed = tostring(seed)
  check(self._library, self._library.rm_open(plan, #plan, seed, #seed, opened))
  self._mill = ffi.gc(opened[0], self._library.rm_close)
  return self
end
function Mill:close()
  if self._mill then self._library.rm_close(ffi.gc(self._mill, nil)) end
  self._mill = nil
end
function Mill:_get(name, ...) return self._library["rm_" .. name](self._mill or error("the mill is closed", 3), ...) end
function Mill:_try(name, ...) check(self._library, self:_get(name, ...)) end

function Mill:count() return self:_get("count") end
function Mill:find(name)
  local noun = ffi.new("uint32_t[1]")
  self:_try("find", name, #name, noun)
  return noun[0]
end
-- Returns the name and the labels of a noun. The labels are JSON.
function Mill:about(noun)
  local texts = ffi.new("const char *[2]")
  self:_try("about", noun, nil, texts, nil, texts + 1, nil)
  return ffi.string(texts[0]), ffi.string(texts[1])
end
function Mill:width(noun) return self:_get("width", noun) end
function Mill:has_quantities(noun) return self:_get("has_quantities", noun) ~= 0 end
function Mill:key(noun) return self:_get("noun_key", noun) end
-- The key of `fork(id)` of JavaScript: of a text, a whole number, or two of them.
function Mill:fork(key, id, second)
  local out = ffi.new("uint64_t[1]")
  if type(id) == "string" then self:_try("fork_text", key, id, #id, out)
  elseif second then self:_try("fork_pair", key, whole(id, 31), whole(second, 31), out)
  else self:_try("fork_integer", key, whole(id), out) end
  return out[0]
end

-- Makes the results from … from + count − 1. Returns them, and their quantities if the last argument is true.
function Mill:many(noun, key, from, count, with_quantities)
  local size = whole(count) * self:width(noun)
  local results, quantities = ffi.new("int32_t[?]", size), with_quantities and ffi.new("int32_t[?]", size) or nil
  self:_try("many", noun, key, whole(from), count, results, quantities)
  return results, quantities
end
-- Draws records from a pool, by its number. Returns them and their number, which is smaller if nothing is left.
function Mill:draw(family, pool, key, count)
  local records, drawn = ffi.new("int32_t[?]", whole(count)), ffi.new("size_t[1]")
  self:_try("draw", family, pool, key, count, records, drawn)
  return records, tonumber(drawn[0])
end

function Mill:save()
  local bytes = self:_get("state_bytes")
  local state = ffi.new("char[?]", bytes)
  self:_try("state_save", state, bytes)
  return ffi.string(state, bytes)
end
function Mill:load(state) self:_try("state_load", state, #state) end

return Mill
