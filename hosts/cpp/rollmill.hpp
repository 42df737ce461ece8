// Rollmill for C++17 and later: a mill that closes itself, results as vectors, statuses as exceptions. All calls are in
// rollmill.h; `get()` returns the mill for those that this file leaves out.
#pragma once
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "rollmill.h"

namespace rollmill {

class error : public std::runtime_error {
 public:
  explicit error(rm_status status) : std::runtime_error(rm_error(status)), status(status) {}
  const rm_status status;
};

inline void check(rm_status status) {
  if (status != RM_OK && status != RM_EMPTY) throw error(status);
}

class mill {
 public:
  mill(std::string_view plan, std::string_view seed) {
    rm_mill *opened = nullptr;
    check(rm_open(plan.data(), plan.size(), seed.data(), seed.size(), &opened));
    mill_.reset(opened);
  }

  rm_mill *get() const { return mill_.get(); }

  std::uint32_t find(std::string_view name) const {
    std::uint32_t noun = 0;
    check(rm_find(get(), name.data(), name.size(), &noun));
    return noun;
  }

  std::string_view labels(std::uint32_t noun) const {
    const char *text = nullptr;
    std::size_t bytes = 0;
    check(rm_about(get(), noun, nullptr, nullptr, nullptr, &text, &bytes));
    return {text, bytes};
  }

  rm_key key(std::uint32_t noun) const { return rm_noun_key(get(), noun); }

  rm_key fork(rm_key parent, std::string_view id) const {
    rm_key key = 0;
    check(rm_fork_text(get(), parent, id.data(), id.size(), &key));
    return key;
  }

  rm_key fork(rm_key parent, std::int64_t id) const {
    rm_key key = 0;
    check(rm_fork_integer(get(), parent, id, &key));
    return key;
  }

  rm_key fork(rm_key parent, std::int32_t first, std::int32_t second) const {
    rm_key key = 0;
    check(rm_fork_pair(get(), parent, first, second, &key));
    return key;
  }

  // Also writes a quantity for each number of the results to `quantities`, unless it is null.
  std::vector<std::uint32_t> many(std::uint32_t noun, rm_key key, std::uint64_t from, std::size_t count,
                                  std::vector<std::int32_t> *quantities = nullptr) const {
    std::vector<std::uint32_t> results(count * rm_width(get(), noun));
    if (quantities) quantities->resize(results.size());
    check(rm_many(get(), noun, key, from, count, results.data(), quantities ? quantities->data() : nullptr));
    return results;
  }

  // Fewer records than `count` if the pool has nothing left.
  std::vector<std::uint32_t> draw(std::uint32_t family, std::uint32_t pool, rm_key key, std::size_t count) const {
    std::vector<std::uint32_t> records(count);
    std::size_t drawn = 0;
    check(rm_draw(get(), family, pool, key, count, records.data(), &drawn));
    records.resize(drawn);
    return records;
  }

  std::string save() const {
    std::string state(rm_state_bytes(get()), '\0');
    check(rm_state_save(get(), state.data(), state.size()));
    return state;
  }

  void load(std::string_view state) const { check(rm_state_load(get(), state.data(), state.size())); }

 private:
  struct close {
    void operator()(rm_mill *mill) const { rm_close(mill); }
  };
  std::unique_ptr<rm_mill, close> mill_;
};

}  // namespace rollmill
