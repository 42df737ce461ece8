"""Rollmill for Python: opens plan files with the C library (see rollmill.h), which this file loads by ctypes.
Results are numpy arrays if numpy is installed, else arrays of the module `array`."""

import ctypes
import json
from array import array
from ctypes import byref, c_char_p, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from pathlib import Path

try:
    import numpy
except ImportError:
    numpy = None
KINDS = [None, "list", "table", "dice", "sampler", "pools"]
COMPILE = "compile it in the folder of rollmill.c: cc -O2 -shared -fPIC rollmill.c -o librollmill.so -lm"
EMPTY = 6

class Error(Exception):
    """A status of the library other than success: its sentence and its number."""

def _number(kind, value):
    if kind(value).value != value:  # ctypes would drop the bits that do not fit
        raise ValueError(f"{value} is out of range")
    return kind(value)

def _room(kind, count):
    out = array(kind, bytes(4 * count)) if numpy is None else numpy.empty(count, "<u4" if kind == "I" else "<i4")
    return out, c_void_p(out.buffer_info()[0] if numpy is None else out.ctypes.data)

class Mill:
    """An open plan file, given as its path or as bytes, with a seed. Use it in one thread at a time."""

    def __init__(self, plan, seed, library=None):
        seed = int(seed) if isinstance(seed, float) and seed.is_integer() else seed  # 7.0 is the 7 of JavaScript
        if type(seed) not in (str, int):
            raise TypeError(f"the seed is {seed!r}; expected a text or a whole number")
        beside = [folder / "librollmill.so" for folder in dict.fromkeys((Path(__file__).resolve().parent, Path.cwd()))]
        found = [str(path.resolve()) for path in ([Path(library)] if library else beside) if path.exists()]
        if not found:
            raise FileNotFoundError(f"{library or ' and '.join(map(str, beside))} missing: {COMPILE}")
        self._library, self._mill, text = ctypes.CDLL(found[0]), c_void_p(), str(seed).encode()
        self._library.rm_error.restype, self._library.rm_state_bytes.restype = c_char_p, c_size_t
        self._library.rm_noun_key.restype = c_uint64
        plan = Path(plan).read_bytes() if isinstance(plan, (str, Path)) else bytes(plan)
        self._call("open", plan, c_size_t(len(plan)), text, c_size_t(len(text)), byref(self._mill))
        self.nouns = {}
        for noun in range(self._call("count", ok=())):
            kind, (name, labels) = c_uint32(), (c_char_p(), c_char_p())
            self._call("about", noun, byref(kind), byref(name), None, byref(labels), None)
            self.nouns[name.value.decode()] = (noun, KINDS[kind.value], json.loads(labels.value))

    def close(self):
        self._library.rm_close(self._mill)
        self._mill = c_void_p()

    __enter__, __exit__ = lambda self: self, lambda self, *_: self.close()

    def key(self, name):
        """The key of a noun: pass it, or a fork of it, to the calls that make results."""
        return self._call("noun_key", self._noun(name, *KINDS)[0], ok=())

    def fork(self, key, fork_id):
        """The key of `fork(id)` of JavaScript: of a text, an integer, or a pair of integers."""
        if isinstance(fork_id, str):
            call, given = "text", (fork_id.encode(), c_size_t(len(fork_id.encode())))
        elif isinstance(fork_id, int):
            call, given = "integer", (_number(c_int64, fork_id),)
        else:
            call, given = "pair", [_number(c_int32, one) for one in fork_id]
        out = c_uint64()
        self._call(f"fork_{call}", _number(c_uint64, key), *given, byref(out))
        return out.value

    def many(self, name, count, start=0, key=None, quantities=False):
        """Makes the results start … start + count − 1 of a noun other than pools, as numbers."""
        noun, kind, _ = self._noun(name, *(("list", "table") if quantities else KINDS[1:5]))
        out, at = _room("i" if kind == "dice" else "I", count * self._call("width", noun, ok=()))
        amounts, amounts_at = _room("i", count) if quantities else (None, None)
        stream = _number(c_uint64, self.key(name) if key is None else key)
        self._call("many", noun, stream, _number(c_uint64, start), c_size_t(count), at, amounts_at)
        return (out, amounts) if quantities else out

    def draw(self, name, pool, count, key=None):
        """Draws records from a pool, by its path or its number. Returns fewer if the pool has nothing left."""
        noun, _, labels = self._noun(name, "pools")
        number = [one["path"] for one in labels["pools"]].index(pool) if isinstance(pool, str) else pool
        (out, at), drawn, stream = _room("I", count), c_size_t(), self.key(name) if key is None else key
        given = [_number(c_uint32, number), _number(c_uint64, stream), c_size_t(count), at, byref(drawn)]
        self._call("draw", noun, *given, ok=(0, EMPTY))
        return out[: drawn.value]

    def save(self):
        state = ctypes.create_string_buffer(self._call("state_bytes", ok=()))
        self._call("state_save", state, c_size_t(len(state)))
        return state.raw

    def load(self, state):
        self._call("state_load", bytes(state), c_size_t(len(state)))

    def _noun(self, name, *kinds):
        noun = self.nouns.get(name, (None, None))
        if noun[1] not in kinds or noun[1] is None:
            raise LookupError(f"{name!r} is {noun[1] or 'not in the plan'}; this call is for: "
                              + ", ".join(other for other, (_, kind, _) in self.nouns.items() if kind in kinds))
        return noun

    def _call(self, name, *given, ok=(0,)):
        if name != "open" and not self._mill:
            raise ValueError("the mill is closed")
        out = getattr(self._library, f"rm_{name}")(*([] if name == "open" else [self._mill]), *given)
        if ok and out not in ok:
            raise Error(self._library.rm_error(out).decode(), out)
        return out
