"""The host for Python (docs/engines.md), with the conversation of c/rival.h. load: as c/engine.c, and the name of the
noun. argv: the library."""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "hosts" / "python"))
from rollmill import Mill

SAMPLES = 5
BATCH = 262144  # a call of Python takes 3 to 10 µs before it makes anything, a thirtieth of this
start = 0


def fill(count):
    global start
    out = mill.many(noun, count, start)
    start += count
    return out


def timing(count):
    done, begin = 0, time.perf_counter_ns()
    while done < count:
        fill(BATCH)
        done += BATCH
    return (time.perf_counter_ns() - begin) / done


for line in sys.stdin:
    command, *given = line.split()
    if command == "load":
        cells, path = int(given[1]), given[2]
        mill = Mill(path, "bench", sys.argv[1])
        noun = next(iter(mill.nouns))
        print("ok", flush=True)
    elif command == "time":
        print(sorted(timing(int(given[0]) // SAMPLES + 1) for _ in range(SAMPLES))[SAMPLES // 2], flush=True)
    else:
        results = list(fill(int(given[0])))
        print(*[results.count(cell) for cell in range(cells)], flush=True)
