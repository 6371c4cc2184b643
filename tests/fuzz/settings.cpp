// Settings of any shape, from the strictest source to the least trusted one: values or an error
// that says what to do, never a crash.

#include <cstddef>
#include <nlohmann/json.hpp>

#include "protocol/json.h"
#include "server/settings/settings.h"
#include "server/store/yaml.h"
#include "tests/fuzz/check.h"

using namespace brainstorm;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const auto value = read_yaml(fuzz_text(data, size), "fuzz.yaml");
  if (!value) return 0;
  SettingSources client;
  client.client = &*value;
  // A client's mistakes are warnings.
  const auto lenient = load_settings(client);
  FUZZ_CHECK(lenient || !lenient.error().hint.empty());
  SettingSources flags;
  flags.command_line = &*value;
  const auto strict = load_settings(flags);
  FUZZ_CHECK(strict || !strict.error().hint.empty());
  return 0;
}
