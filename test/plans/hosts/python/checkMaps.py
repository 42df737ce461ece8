"""Makes the walks and worlds of a plan with the Python host, on stdout: checkMaps.py PLAN SEED RECTANGLES."""

import json
import sys
from array import array

from maps import MapMill
from rollmill import Error

mill = MapMill(sys.argv[1], sys.argv[2])
put = sys.stdout.buffer.write
for name, noun in mill.nouns.items():
    for cells in json.loads(sys.argv[3]):
        try:
            for layer in noun.labels["layers"]:
                put(mill.visits(name, layer, *cells))
                try:
                    put(mill.visits(name, layer, *cells, first=True))
                except Error as error:
                    assert error.args[1] == 4
            if noun.kind == "world":
                put(array("I", list(mill.region(name, *cells))))
                for placement in mill.placements(name, *cells):
                    put(array("i", placement))
        except Error as error:
            assert error.args[1] == 4
for call in (
    lambda: mill.region("drift", 0, 0, 1, 1),
    lambda: mill.region("isles", 2**31, 0, 1, 1),
    lambda: mill.visits("nothing", 0, 0, 0, 1, 1),
):
    try:
        print(call(), "is returned")
    except (LookupError, ValueError):
        pass
