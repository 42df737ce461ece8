// Does what ../c/example.c does: example game.plan moria
#include <cstdio>
#include <fstream>
#include <iterator>

#include "rollmill.hpp"

int main(int argc, char **argv) try {
  if (argc != 3) return std::fprintf(stderr, "usage: example PLAN SEED\n"), 2;
  std::ifstream file(argv[1], std::ios::binary);
  if (!file) return std::fprintf(stderr, "%s: cannot be opened\n", argv[1]), 1;
  const std::string plan(std::istreambuf_iterator<char>(file), {});

  const rollmill::mill mill(plan, argv[2]);
  const auto loot = mill.find("loot"), pools = mill.find("pools");
  std::vector<std::int32_t> quantities;
  const auto rolls = mill.many(loot, mill.fork(mill.key(loot), "player/7"), 0, 5, &quantities);
  for (int k = 0; k < 5; k++) std::printf("roll %u x %d\n", rolls[k], quantities[k]);

  const auto state = mill.save();
  const auto first = mill.draw(pools, 0, mill.key(pools), 3);
  mill.load(state);
  const auto again = mill.draw(pools, 0, mill.key(pools), 3);
  for (int k = 0; k < 3; k++) std::printf("draw %u, again %u\n", first[k], again[k]);

  std::uint32_t digest = 2166136261u;  // FNV-1a
  for (const auto roll : mill.many(loot, mill.key(loot), 0, 1000000)) digest = (digest ^ roll) * 16777619u;
  std::printf("digest %08x\n", static_cast<unsigned>(digest));
} catch (const std::exception &failure) {
  std::fprintf(stderr, "rollmill: %s\n", failure.what());
  return 1;
}
