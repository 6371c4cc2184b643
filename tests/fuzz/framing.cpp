// The same bytes give the same events however they are cut, and no body is over the cap.

#include <cstddef>
#include <vector>

#include "protocol/framing.h"
#include "protocol/text.h"
#include "tests/fuzz/check.h"

using namespace brainstorm;

namespace {

constexpr std::size_t kCap = 64;

void drain(Framer& framer, std::vector<FrameEvent>& events) {
  while (auto event = framer.next()) events.push_back(*std::move(event));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t step = data[0] % 16 + std::size_t{1};
  const std::string_view stream = fuzz_text(data, size).substr(1);

  std::vector<FrameEvent> whole, cut;
  Framer first(kCap), second(kCap);
  first.feed(stream);
  drain(first, whole);
  for (std::size_t at = 0; at < stream.size(); at += step) {
    second.feed(stream.substr(at, step));
    drain(second, cut);
  }
  FUZZ_CHECK(whole == cut);
  FUZZ_CHECK(first.at_boundary() == second.at_boundary());

  for (std::size_t i = 0; i < whole.size(); ++i) {
    const FrameEvent& event = whole[i];
    if (event.kind == FrameEvent::Kind::body) {
      FUZZ_CHECK(event.text.size() <= kCap);
      Framer again(kCap);
      again.feed(frame(event.text));
      FUZZ_CHECK(again.next() == event);
    } else {
      FUZZ_CHECK(!event.text.empty() && text::is_valid_utf8(event.text));
    }
    FUZZ_CHECK(event.kind != FrameEvent::Kind::fatal || i + 1 == whole.size());
  }
  return 0;
}
