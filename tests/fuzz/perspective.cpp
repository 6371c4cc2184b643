// Any answer of a model becomes a perspective, and a whole one stays whole through its file.

#include <cstddef>

#include "commands/swarm/perspective.h"
#include "protocol/text.h"
#include "tests/fuzz/check.h"

using namespace brainstorm;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string answer = text::repair_utf8(fuzz_text(data, size));
  const Perspective perspective = parse_perspective("critic", answer);
  if (perspective.confidence) {
    FUZZ_CHECK(*perspective.confidence >= 1 && *perspective.confidence <= 5);
  }
  FUZZ_CHECK(perspective.further.size() <= 3);
  (void)insights_of(perspective);
  const std::string rendered = render_perspective(perspective);
  FUZZ_CHECK(text::is_valid_utf8(rendered));
  if (missing_elements(perspective).empty()) {
    const Perspective again = parse_perspective("critic", rendered);
    FUZZ_CHECK(missing_elements(again).empty());
    FUZZ_CHECK(again.confidence == perspective.confidence);
  }
  return 0;
}
