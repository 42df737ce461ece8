"""Weighted picks of numpy, counted in processes, with the conversation of c/rival.h. argv: choice, as users write it, or
sort, which searches sorted numbers for the few bounds. load: processes, n, n weights > 0."""

import multiprocessing
import sys
import time

import numpy

SAMPLES = 5
CHUNK = 65536  # smaller and larger ones take longer


def choice(rng, p, count):
    return numpy.bincount(rng.choice(len(p), count, p=p), minlength=len(p))


def sort(rng, p, count):
    numbers = numpy.sort(rng.random(count))
    bounds = numpy.searchsorted(numbers, numpy.cumsum(p)[:-1])
    return numpy.diff(bounds, prepend=0, append=count)


def counted(task):
    form, p, seed, count = task
    rng = numpy.random.Generator(numpy.random.SFC64(seed))
    chunks = [CHUNK] * (count // CHUNK) + [count % CHUNK]
    return sum(globals()[form](rng, p, chunk) for chunk in chunks)


def counts(total):
    shares = [total // processes + (k < total % processes) for k in range(processes)]
    seeds = seed.spawn(processes)
    return sum(pool.map(counted, [(sys.argv[1], p, *one) for one in zip(seeds, shares)], chunksize=1))


def timing(total):
    begin = time.perf_counter_ns()
    counts(total)
    return (time.perf_counter_ns() - begin) / total


for line in sys.stdin:
    command, *given = line.split()
    if command == "load":
        processes, seed = int(given[0]), numpy.random.SeedSequence(1)
        p = numpy.array(given[2:], dtype=float)
        p /= p.sum()
        pool = multiprocessing.get_context("fork").Pool(processes)
        print("ok", flush=True)
    elif command == "time":
        print(sorted(timing(int(given[0]) // SAMPLES + 1) for _ in range(SAMPLES))[SAMPLES // 2], flush=True)
    else:
        print(*counts(int(given[0])), flush=True)
