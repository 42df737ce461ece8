// What check.py does, in C++.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>

#include "rollmill.hpp"

template <class T>
void put(const std::vector<T> &numbers) {
  std::cout.write(reinterpret_cast<const char *>(numbers.data()), static_cast<std::streamsize>(4 * numbers.size()));
}

template <class T>
void say(const std::vector<T> &numbers) {
  for (std::size_t k = 0; k < numbers.size(); k++) std::cerr << (k ? " " : "") << numbers[k];
  std::cerr << "\n";
}

template <class Call>
rollmill::error refused(Call call) {
  try {
    call();
  } catch (const rollmill::error &error) {
    return error;
  }
  throw std::logic_error("not refused");
}

int main(int, char **argv) {
  std::ifstream file(argv[1], std::ios::binary);
  const std::string plan(std::istreambuf_iterator<char>(file), {});
  const rollmill::mill mill(plan, argv[2]);
  const std::size_t count = std::stoul(argv[3]);
  for (std::uint32_t noun = 0; noun < rm_count(mill.get()); noun++) {
    const std::size_t n = count / std::max(1u, rm_width(mill.get(), noun)) + 1;
    std::vector<std::int32_t> quantities;
    const bool has_quantities = rm_has_quantities(mill.get(), noun);
    const auto pools = rm_pool_count(mill.get(), noun);
    if (!pools) put(mill.many(noun, mill.key(noun), 1000, n, has_quantities ? &quantities : nullptr));
    put(quantities);
    for (std::uint32_t pool = 0; pool < pools; pool++) put(mill.draw(noun, pool, mill.key(noun), n));
  }
  const auto hp = mill.find("hp"), bag = mill.find("bag");
  say(mill.many(hp, mill.fork(mill.fork(mill.fork(mill.key(hp), "é/7"), -5), -1, 2), 0, 5));
  auto state = mill.save();
  say(mill.draw(bag, 1, mill.key(bag), 9));
  mill.load(state);
  say(mill.draw(bag, 1, mill.key(bag), 9));
  std::cerr << mill.labels(mill.find("chest")) << "\n";
  state[0] = 'x';
  std::cerr << refused([&] { mill.load(state); }).what() << "\n";
  std::cerr << refused([&] { mill.find("nothing"); }).what() << "\n";
}
