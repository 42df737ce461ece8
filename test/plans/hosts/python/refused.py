"""What the Python host refuses, on a plan of test/plans/nouns.ts, and the forms that seeds and plans may have."""

from rollmill import Mill

mill = Mill("game.plan", "moria")
with Mill(open("game.plan", "rb").read(), 7.0) as seven, Mill("game.plan", "7", "./librollmill.so") as same:
    assert seven.key("hp") == same.key("hp")
for call in (
    lambda: same.many("hp", 1),
    lambda: same.key("hp"),
    lambda: same.save(),
    lambda: Mill("game.plan", None),
    lambda: Mill("game.plan", 7.5),
    lambda: mill.many("bag", 1),
    lambda: mill.many("hp", 1, quantities=True),
    lambda: mill.draw("hp", 0, 1),
    lambda: mill.many("nothing", 1),
    lambda: mill.many("hp", 1, start=2**64),
    lambda: mill.fork(1, 2**63),
    lambda: Mill("game.plan", 7, library="absent.so"),
):
    try:
        print(call(), "is returned")
    except (ValueError, TypeError, LookupError, FileNotFoundError) as error:
        print(type(error).__name__, *error.args)
