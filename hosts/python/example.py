"""Rolls on the table `loot` of a plan file, as ../c/example.c does: python3 example.py game.plan moria"""

import sys
from rollmill import Mill

with Mill(sys.argv[1], sys.argv[2]) as mill:
    _, _, labels = mill.nouns["loot"]
    rolls = mill.many("loot", 1_000_000)
    first = mill.many("loot", 1, key=mill.fork(mill.key("loot"), "player/7"))[0]
digest = 2166136261  # FNV-1a of the rolls
for roll in rolls:
    digest = ((digest ^ int(roll)) * 16777619) & 0xFFFFFFFF
print(", ".join((labels["results"] + [None])[roll] or "nothing" for roll in rolls[:10]))
print(f"player 7: {first}\ndigest: {digest:08x}")
