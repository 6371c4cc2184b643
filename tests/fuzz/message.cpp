// Every JSON value is some message; an answer to it is a message again, with the same id.

#include <cstddef>
#include <nlohmann/json.hpp>

#include "protocol/json.h"
#include "protocol/message.h"
#include "tests/fuzz/check.h"

using namespace brainstorm;

namespace {

Message again(const Json& envelope) {
  auto parsed = json::parse(json::dump(envelope));
  FUZZ_CHECK(parsed);
  return classify(*std::move(parsed));
}

void check_answers(const Id& id) {
  const Message result = again(result_message(id, nullptr));
  const auto* success = std::get_if<Response>(&result);
  FUZZ_CHECK(success != nullptr && success->id == id && !success->error);
  const Message error =
      again(error_message(id, ResponseError{rpc::kInvalidRequest, "no", nullptr}));
  const auto* failure = std::get_if<Response>(&error);
  FUZZ_CHECK(failure != nullptr && failure->id == id && failure->error);
  FUZZ_CHECK(failure->error->code == rpc::kInvalidRequest);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  auto value = json::parse(fuzz_text(data, size));
  if (!value) return 0;
  const Message message = classify(*std::move(value));
  if (const auto* request = std::get_if<Request>(&message)) {
    FUZZ_CHECK(!request->params.is_null());
    check_answers(request->id);
    const Message copy = again(request_message(request->id, request->method, request->params));
    const auto* same = std::get_if<Request>(&copy);
    FUZZ_CHECK(same != nullptr && same->id == request->id && same->method == request->method);
    FUZZ_CHECK(json::dump(same->params) == json::dump(request->params));
  } else if (const auto* note = std::get_if<Notification>(&message)) {
    const Message copy = again(notification_message(note->method, note->params));
    const auto* same = std::get_if<Notification>(&copy);
    FUZZ_CHECK(same != nullptr && same->method == note->method);
  } else if (const auto* invalid = std::get_if<Invalid>(&message)) {
    FUZZ_CHECK(!invalid->reason.empty());
    check_answers(invalid->id);
  }
  return 0;
}
