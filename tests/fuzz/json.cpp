// What parses prints as valid UTF-8 on one line and means the same when read again.

#include <cstddef>
#include <nlohmann/json.hpp>

#include "protocol/brainstorm.h"
#include "protocol/json.h"
#include "protocol/text.h"
#include "tests/fuzz/check.h"

using namespace brainstorm;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const auto value = json::parse(fuzz_text(data, size));
  if (!value) {
    FUZZ_CHECK(value.error().code == ErrorCode::parse_error);
    FUZZ_CHECK(!value.error().message.empty() && !value.error().hint.empty());
    return 0;
  }
  const std::string printed = json::dump(*value);
  FUZZ_CHECK(text::is_valid_utf8(printed));
  FUZZ_CHECK(printed.find('\n') == std::string::npos);
  const auto again = json::parse(printed);
  FUZZ_CHECK(again && json::dump(*again) == printed);
  const auto pretty = json::parse(json::pretty(*value));
  FUZZ_CHECK(pretty && json::dump(*pretty) == printed);

  // Readers of every shape on every shape.
  if (const auto decision = decision_from_json(*value)) {
    const auto copy = decision_from_json(to_json(*decision));
    FUZZ_CHECK(copy && *copy == *decision);
  }
  (void)form_answer_from_json(*value);
  for (const char* key : {"id", "a", ""}) {
    (void)json::string_at(*value, key, "p");
    (void)json::integer_at(*value, key, "p");
    (void)json::number_at(*value, key, "p");
    (void)json::strings_at(*value, key, "p");
    (void)json::maybe_bool(*value, key, "p");
  }
  return 0;
}
