"""Makes the results of probe.c with the Python host, on stdout, and says on stderr what the other calls return."""

import json
import os
import sys

plan, seed, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
if os.environ.get("NUMPY") == "no":
    sys.modules["numpy"] = None
from rollmill import Error, Mill

def say(*texts):
    print(*texts, file=sys.stderr)

def refused(call, *given):
    try:
        call(*given)
    except Error as error:
        return error.args

mill = Mill(plan, seed)
put = sys.stdout.buffer.write
for name, noun in mill.nouns.items():
    n = count // max(1, noun.width) + 1
    if noun.kind == "pools":
        for pool in range(len(noun.labels["pools"])):
            put(mill.draw(name, pool, n))
        assert refused(mill.draw, name, pool + 1, n)[1] == 11
    elif noun.quantities:
        for column in mill.many(name, n, 1000, quantities=True):
            put(column)
    else:
        put(mill.many(name, n, 1000))
say(*mill.many("hp", 5, key=mill.fork(mill.fork(mill.fork(mill.key("hp"), "é/7"), -5), (-1, 2))))
state = mill.save()
say(*mill.draw("bag", 1, 9))
mill.load(state)
say(*mill.draw("bag", "i.odd", 9))
say(json.dumps(mill.nouns["chest"].labels, separators=(",", ":")))
say(refused(mill.load, b"x" + state[1:])[0])
try:
    mill.key("nothing")
except LookupError:
    say("the plan has no such noun")
mill.close()
