"""Rollmill for Python: opens plan files with the C library (see rollmill.h), which this file loads by ctypes.
Results are numpy arrays if numpy is installed, else arrays of the module `array`."""

import json
from array import array
from collections import namedtuple
from ctypes import CDLL, byref, c_char, c_char_p, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p, create_string_buffer
from pathlib import Path
try:
    import numpy
except ImportError:
    numpy = None
KINDS = [None, "list", "table", "dice", "sampler", "pools", "drops", "recipe", "objects", "walk", "world"]
Noun = namedtuple("Noun", "number kind labels key width quantities pools")
class Error(Exception): """A status of the library other than success: its sentence and its number."""

def _number(kind, value):
    if (number := kind(value)).value != value:  # ctypes would drop the bits that do not fit
        raise ValueError(f"{value} is out of range")
    return number
def _sized(data): return data, c_size_t(len(data))
def _room(kind, count):
    out = array(kind, bytes(4 * count)) if numpy is None else numpy.empty(count, "<u4" if kind == "I" else "<i4")
    return out, (c_char * 0).from_buffer(out)

class Mill:
    """An open plan file, given as its path or as bytes, with a seed. Use it in one thread at a time."""
    def __init__(self, plan, seed, library=None):
        seed = int(seed) if isinstance(seed, float) and seed.is_integer() else seed  # 7.0 is the 7 of JavaScript
        if type(seed) not in (str, int):
            raise TypeError(f"the seed is {seed!r}; expected a text or a whole number")
        beside = dict.fromkeys((Path(__file__).resolve().parent / "librollmill.so", Path.cwd() / "librollmill.so"))
        found = [str(path.resolve()) for path in ([Path(library)] if library else beside) if path.exists()]
        if not found:
            raise FileNotFoundError(f"{library or ' and '.join(map(str, beside))} missing: compile it in the folder of "
                                    "rollmill.c: cc -O3 -shared -fPIC rollmill.c -o librollmill.so -lm")
        self._library, self._mill = CDLL(found[0]), c_void_p()
        self._library.rm_error.restype, self._library.rm_state_bytes.restype = c_char_p, c_size_t
        self._library.rm_noun_key.restype = c_uint64
        plan = Path(plan).read_bytes() if isinstance(plan, (str, Path)) else bytes(plan)
        self._check(self._library.rm_open(*_sized(plan), *_sized(str(seed).encode()), byref(self._mill)))
        self.nouns = {}
        for noun in range(self._get("count")):
            kind, name, labels = c_uint32(), c_char_p(), c_char_p()
            self._call("about", noun, byref(kind), byref(name), None, byref(labels), None)
            known = map(self._get, ("noun_key", "width", "has_quantities", "pool_count"), [noun] * 4)
            self.nouns[name.value.decode()] = Noun(noun, KINDS[kind.value], json.loads(labels.value), *known)

    def close(self):
        self._library.rm_close(self._mill)
        self._mill = c_void_p()
    __enter__, __exit__ = lambda self: self, lambda self, *_: self.close()

    def key(self, name):
        """The key of a noun: pass it, or a fork of it, to the calls that make results."""
        return self._get("noun_key", self._noun(name).number)

    def fork(self, key, fork_id):
        """The key of `fork(id)` of JavaScript: of a text, an integer, or a pair of integers."""
        call, given = (("fork_text", _sized(fork_id.encode())) if isinstance(fork_id, str)
                       else ("fork_integer", [_number(c_int64, fork_id)]) if isinstance(fork_id, int)
                       else ("fork_pair", [_number(c_int32, one) for one in fork_id]))
        self._call(call, _number(c_uint64, key), *given, byref(out := c_uint64()))
        return out.value

    def many(self, name, count, start=0, key=None, quantities=False):
        """Makes the results start … start + count − 1 of a noun other than pools and maps, as numbers."""
        noun = self._noun(name, lambda noun: noun.quantities if quantities else noun.width)
        out, at = _room("i" if noun.kind in ("dice", "recipe", "objects") else "I", count * noun.width)
        amounts, amounts_at = _room("i", len(out)) if quantities else (None, None)
        given = _number(c_uint64, noun.key if key is None else key), _number(c_uint64, start), c_size_t(count)
        self._call("many", noun.number, *given, at, amounts_at)
        return (out, amounts) if quantities else out

    def draw(self, name, pool, count, key=None):
        """Draws records from a pool, by its path or its number. Returns fewer if the pool has nothing left."""
        noun = self._noun(name, lambda noun: noun.pools)
        number = [one["path"] for one in noun.labels["pools"]].index(pool) if isinstance(pool, str) else pool
        (out, at), drawn, stream = _room("I", count), c_size_t(), _number(c_uint64, noun.key if key is None else key)
        self._call("draw", noun.number, _number(c_uint32, number), stream, c_size_t(count), at, byref(drawn))
        return out[: drawn.value]

    def save(self):
        self._call("state_save", *_sized(state := create_string_buffer(self._get("state_bytes"))))
        return state.raw
    def load(self, state): self._call("state_load", *_sized(bytes(state)))
    def _noun(self, name, fits=lambda noun: True):
        noun = self.nouns.get(name)
        if noun is None or not fits(noun):
            others = ", ".join(name for name, other in self.nouns.items() if fits(other))
            raise LookupError(f"{name!r} is {noun.kind if noun else 'not in the plan'}; this call is for: {others}")
        return noun
    def _get(self, name, *given):
        if not self._mill:
            raise ValueError("the mill is closed")
        return getattr(self._library, f"rm_{name}")(self._mill, *given)
    def _call(self, name, *given): self._check(self._get(name, *given))
    def _check(self, status):
        if status not in (0, 6):  # 6: nothing is left to draw
            raise Error(self._library.rm_error(status).decode(), status)
