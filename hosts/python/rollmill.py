"""Rollmill for Python: opens plan files with the C library (see rollmill.h), which this file loads by ctypes.

    cc -O2 -shared -fPIC rollmill.c -o librollmill.so

Results are numpy arrays if numpy is installed, else arrays of the module `array`."""

import ctypes
import json
from array import array
from ctypes import byref, c_char_p, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p

try:
    import numpy
except ImportError:
    numpy = None

KINDS = [None, "list", "table", "dice", "sampler", "pools"]
EMPTY = 6


class Error(Exception):
    """A status of the library other than success: its sentence and its number."""


def _zeros(kind, count):
    if numpy is not None:
        out = numpy.zeros(count, "<u4" if kind == "I" else "<i4")
        return out, c_void_p(out.ctypes.data)
    out = array(kind, bytes(4 * count))
    return out, c_void_p(out.buffer_info()[0])


class Mill:
    """An open plan file with a seed. Use it in one thread at a time."""

    def __init__(self, plan, seed, library="./librollmill.so"):
        self._library = ctypes.CDLL(library)
        self._library.rm_error.restype = c_char_p
        self._library.rm_noun_key.restype = self._library.rm_seed_key.restype = c_uint64
        self._library.rm_state_bytes.restype = c_size_t
        self._mill = c_void_p()
        text = str(seed).encode()
        self._call("rm_open", plan, c_size_t(len(plan)), text, c_size_t(len(text)), byref(self._mill), mill=())
        self.nouns = {}
        for noun in range(self._library.rm_count(self._mill)):
            kind, (name, labels) = c_uint32(), (c_char_p(), c_char_p())
            self._call("rm_about", noun, byref(kind), byref(name), None, byref(labels), None)
            self.nouns[name.value.decode()] = (noun, KINDS[kind.value], json.loads(labels.value))

    def close(self):
        self._library.rm_close(self._mill)
        self._mill = c_void_p()

    def key(self, name):
        """The key of a noun: pass it, or a fork of it, to the calls that make results."""
        return self._library.rm_noun_key(self._mill, self.nouns[name][0])

    def fork(self, key, fork_id):
        """The key of `fork(id)` of JavaScript: of a text, an integer, or a pair of integers."""
        out = c_uint64()
        if isinstance(fork_id, str):
            text = fork_id.encode()
            self._call("rm_fork_text", c_uint64(key), text, c_size_t(len(text)), byref(out))
        elif isinstance(fork_id, int):
            self._call("rm_fork_integer", c_uint64(key), c_int64(fork_id), byref(out))
        else:
            self._call("rm_fork_pair", c_uint64(key), *map(c_int32, fork_id), byref(out))
        return out.value

    def many(self, name, count, start=0, key=None, quantities=False):
        """Makes the results start … start + count − 1 of a list, a table, dice or a sampler, as numbers."""
        noun, kind, _ = self.nouns[name]
        call = {"list": "pick", "table": "roll", "dice": "dice", "sampler": "sample"}[kind]
        size = self._library.rm_sample_size(self._mill, noun) if kind == "sampler" else 1
        out, at = _zeros("i" if kind == "dice" else "I", count * size)
        amounts, amounts_at = _zeros("i", count) if quantities else (None, None)
        more = [amounts_at] if kind in ("list", "table") else []
        stream = c_uint64(self.key(name) if key is None else key)
        self._call(f"rm_{call}_many", noun, stream, c_uint64(start), c_size_t(count), at, *more)
        return (out, amounts) if quantities else out

    def draw(self, name, pool, count, key=None):
        """Draws records from a pool, by its number in the labels. Returns fewer if the pool has nothing left."""
        out, at = _zeros("I", count)
        drawn, stream = c_size_t(), c_uint64(self.key(name) if key is None else key)
        self._call("rm_draw_many", self.nouns[name][0], pool, stream, c_size_t(count), at, byref(drawn), ok=(0, EMPTY))
        return out[: drawn.value]

    def save(self):
        state = ctypes.create_string_buffer(self._library.rm_state_bytes(self._mill))
        self._call("rm_state_save", state, c_size_t(len(state)))
        return state.raw

    def load(self, state):
        self._call("rm_state_load", state, c_size_t(len(state)))

    def _call(self, name, *given, mill=None, ok=(0,)):
        status = getattr(self._library, name)(*((self._mill,) if mill is None else mill), *given)
        if status not in ok:
            raise Error(self._library.rm_error(status).decode(), status)
