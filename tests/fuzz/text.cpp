// Repaired text is valid and stays so whatever is cut from it; the three units agree.

#include <cstddef>

#include "protocol/text.h"
#include "tests/fuzz/check.h"

using namespace brainstorm;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view raw = fuzz_text(data, size);
  const std::string text = text::repair_utf8(raw);
  FUZZ_CHECK(text::is_valid_utf8(text));
  FUZZ_CHECK(text::is_valid_utf8(raw) == (text == raw));
  FUZZ_CHECK(text::repair_utf8(text) == text);

  const std::size_t points = text::code_points(text);
  const std::size_t units = text::utf16_units(text);
  FUZZ_CHECK(points <= units && units <= 2 * points && points <= text.size());
  FUZZ_CHECK(text::byte_of_utf16(text, units) == text.size());
  const std::size_t middle = text::byte_of_utf16(text, units / 2);
  FUZZ_CHECK(text::is_valid_utf8(text.substr(middle)));

  const std::string cut = text::shorten(text, 5);
  FUZZ_CHECK(text::is_valid_utf8(cut) && text::code_points(cut) <= 5);
  FUZZ_CHECK(text::is_valid_utf8(text::trim(text)));
  const std::string line = text::one_line(text);
  FUZZ_CHECK(text::is_valid_utf8(line) && text::one_line(line) == line);
  const std::string shown = text::printable(text);
  FUZZ_CHECK(text::is_valid_utf8(shown) && shown.find('\x1B') == std::string::npos);
  for (const std::string_view each : text::lines(text)) {
    FUZZ_CHECK(each.find('\n') == std::string_view::npos);
  }
  // Nothing reads out of bounds on text that nobody repaired.
  (void)text::printable(raw);
  (void)text::one_line(raw);
  (void)text::trim(raw);
  (void)text::shorten(raw, 3);
  (void)text::byte_of_utf16(raw, 3);
  return 0;
}
