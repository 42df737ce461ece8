"""Does what ../c/example.c does: python3 example.py game.plan moria"""

import sys
from rollmill import Mill

with Mill(sys.argv[1], sys.argv[2]) as mill:
    player = mill.fork(mill.key("loot"), "player/7")
    rolls, quantities = mill.many("loot", 5, start=0, key=player, quantities=True)
    for roll, quantity in zip(rolls, quantities):
        print(f"roll {roll} x {quantity}")

    state = mill.save()
    first = mill.draw("pools", "i", 3)  # by the path or the number of the pool
    mill.load(state)
    for one, again in zip(first, mill.draw("pools", "i", 3)):
        print(f"draw {one}, again {again}")

    digest = 2166136261  # FNV-1a
    for roll in mill.many("loot", 1_000_000):
        digest = ((digest ^ int(roll)) * 16777619) & 0xFFFFFFFF
    print(f"digest {digest:08x}")
