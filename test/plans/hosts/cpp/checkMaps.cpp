// Prints the visits, the terrain and the placements of two rectangles of the world "isles".
#include <fstream>
#include <iostream>
#include <iterator>

#include "maps.hpp"

int main(int, char **argv) {
  std::ifstream file(argv[1], std::ios::binary);
  const rollmill::mill mill(std::string(std::istreambuf_iterator<char>(file), {}), argv[2]);
  const auto isles = mill.find("isles");
  const auto seed = rm_seed_key(mill.get());
  const rollmill::cells near{-5, 3, 4, 7};
  const char *space = "";
  const auto put = [&space](auto number) { std::cout << space << number, space = " "; };
  for (const auto visits : rollmill::visits(mill, isles, seed, 0, near)) put(visits);
  for (const auto terrain : rollmill::region(mill, isles, seed, near)) put(int(terrain));
  for (const auto &one : rollmill::placements(mill, isles, seed, {-20, -20, 30, 30})) {
    put(one.row);
    std::cout << "," << one.col;
  }
  std::cout << "\n";
}
