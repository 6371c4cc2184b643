#pragma once
// A broken property ends a fuzz target like a crash does, with the line that says what broke.

#include <cstdio>
#include <cstdlib>
#include <string_view>

#define FUZZ_CHECK(condition)                                                      \
  do {                                                                             \
    if (!(condition)) {                                                            \
      std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                \
    }                                                                              \
  } while (false)

inline std::string_view fuzz_text(const unsigned char* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}
