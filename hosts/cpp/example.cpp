// Rolls on the table `loot` of a plan file, as ../c/example.c does:
//
//   cc -O2 -c rollmill.c && c++ -std=c++17 -O2 example.cpp rollmill.o -o example && ./example game.plan moria
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
  const auto loot = mill.find("loot");
  std::printf("%s\n", mill.labels(loot).data());
  const auto rolls = mill.many(loot, mill.key(loot), 0, 1000000);
  for (int k = 0; k < 10; k++) std::printf("%u ", rolls[k]);
  const auto first = mill.many(loot, mill.fork(mill.key(loot), "player/7"), 0, 1)[0];
  std::uint32_t digest = 2166136261u;  // FNV-1a of the rolls
  for (const auto roll : rolls) digest = (digest ^ roll) * 16777619u;
  std::printf("\nplayer 7: %u\ndigest: %08x\n", first, static_cast<unsigned>(digest));
} catch (const std::exception &failure) {
  std::fprintf(stderr, "rollmill: %s\n", failure.what());
  return 1;
}
