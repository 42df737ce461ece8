"""Walks and worlds for Python: a mill of rollmill.py that also makes maps. Each call makes a rectangle of at most 512 rows
and columns, row by row. `seed` is the key of a fork of the mill; without it, the seed is that of the mill."""

from ctypes import byref, c_int32, c_size_t, c_uint32, c_uint64, create_string_buffer
from rollmill import Error, Mill, _number, _room


class MapMill(Mill):
    def seed_key(self):
        """The key of the seed. A fork of it is the key of another player's maps."""
        self._library.rm_seed_key.restype = c_uint64
        return self._get("seed_key")

    def visits(self, name, layer, row, col, rows, cols, first=False, seed=None):
        """The visits of a layer, given by its name or its number; or the steps of its first visits."""
        noun = self._noun(name, lambda noun: self._get("layer_count", noun.number))
        number = _number(c_uint32, noun.labels["layers"].index(layer) if isinstance(layer, str) else layer)
        out, at = _room("I", rows * cols)
        self._cells("first_visits" if first else "visits", noun.number, seed, [number], (row, col, rows, cols), at)
        return out

    def region(self, name, row, col, rows, cols, seed=None):
        """The terrain of a world: bytes, of which each is a number of the labels."""
        out = create_string_buffer(rows * cols)
        self._cells("world_region", self._world(name), seed, [], (row, col, rows, cols), out)
        return out.raw

    def placements(self, name, row, col, rows, cols, seed=None):
        """The placements of a world: lists of row, column, kind, terrain, size and facing."""
        noun, count, cells = self._world(name), c_size_t(), (row, col, rows, cols)
        try:  # too little room: the call counts them
            self._cells("world_placements", noun, seed, [], cells, c_size_t(0), None, byref(count))
        except Error as refused:
            if not count.value:
                raise refused
        out = (c_int32 * (6 * count.value))()
        self._cells("world_placements", noun, seed, [], cells, count, out, byref(count))
        return [list(out[6 * k : 6 * k + 6]) for k in range(count.value)]

    def _world(self, name):
        return self._noun(name, lambda noun: noun.kind == "world").number

    def _cells(self, call, noun, seed, layer, cells, *given):
        key = _number(c_uint64, self.seed_key() if seed is None else seed)
        where = [_number(kind, number) for kind, number in zip((c_int32, c_int32, c_uint32, c_uint32), cells)]
        self._call(call, noun, key, *layer, *where, *given)
