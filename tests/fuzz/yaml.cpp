// What reads as YAML is written so that it reads as the same again.

#include <cstddef>
#include <nlohmann/json.hpp>

#include "server/store/front_matter.h"
#include "server/store/yaml.h"
#include "tests/fuzz/check.h"

using namespace brainstorm;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view text = fuzz_text(data, size);
  YamlLines lines;
  if (const auto value = read_yaml(text, "fuzz.yaml", &lines)) {
    const std::string written = write_yaml(*value);
    const auto again = read_yaml(written, "fuzz.yaml");
    FUZZ_CHECK(again.has_value());
    FUZZ_CHECK(json::dump(*again) == json::dump(*value));
  } else {
    FUZZ_CHECK(!value.error().message.empty() && !value.error().hint.empty());
  }
  if (const auto parts = split_front_matter(text, "fuzz.md")) {
    FUZZ_CHECK(parts->front != nullptr);
    const std::string composed = compose_front_matter(*parts->front, {}, parts->body);
    const auto again = split_front_matter(composed, "fuzz.md");
    FUZZ_CHECK(again.has_value() && again->body == parts->body);
  }
  return 0;
}
