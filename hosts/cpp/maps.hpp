// Walks and worlds of rollmill.hpp: rectangles of at most 512 rows and columns, row by row. `seed` is rm_seed_key, or the
// key of a fork of the mill.
#pragma once

#include "rollmill.hpp"

namespace rollmill {

struct cells {
  std::int32_t row, col;
  std::uint32_t rows, cols;
};

inline std::vector<std::uint32_t> visits(const mill &mill, std::uint32_t noun, rm_key seed, std::uint32_t layer, cells in) {
  std::vector<std::uint32_t> visits(std::size_t(in.rows) * in.cols);
  check(rm_visits(mill.get(), noun, seed, layer, in.row, in.col, in.rows, in.cols, visits.data()));
  return visits;
}

inline std::vector<std::uint8_t> region(const mill &mill, std::uint32_t world, rm_key seed, cells in) {
  std::vector<std::uint8_t> terrain(std::size_t(in.rows) * in.cols);
  check(rm_world_region(mill.get(), world, seed, in.row, in.col, in.rows, in.cols, terrain.data()));
  return terrain;
}

inline std::vector<rm_placement> placements(const mill &mill, std::uint32_t world, rm_key seed, cells in) {
  std::size_t count = 0;
  // the first call counts them. If it refuses the rectangle, so does the second one
  rm_world_placements(mill.get(), world, seed, in.row, in.col, in.rows, in.cols, 0, nullptr, &count);
  std::vector<rm_placement> found(count);
  check(rm_world_placements(mill.get(), world, seed, in.row, in.col, in.rows, in.cols, count, found.data(), &count));
  return found;
}

}  // namespace rollmill
