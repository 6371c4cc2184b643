#include "server/lsp/material.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <string>
#include <utility>

#include "protocol/text.h"
#include "server/os/descriptor.h"
#include "server/os/paths.h"

namespace brainstorm {
namespace {

constexpr std::size_t kMaxFile = std::size_t{1} << 20;

Error unusable(const arguments::Context& context, const std::string& reason) {
  const std::string field = context.path + ".uri";
  return Error{ErrorCode::invalid_argument,
               "\"" + field + "\" cannot be used: " + reason + ".",
               "Name a text file of at most 1 MiB, or send its text.",
               {{"field", field}}};
}

/// A regular file's bytes; never waits for a FIFO or device.
Result<std::string> read_file(const std::string& path) {
  const Error failed{ErrorCode::io_failed, "it cannot be read", "", {}};
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat facts {};
  if (!file || ::fstat(file.get(), &facts) != 0) return failed;
  if (!S_ISREG(facts.st_mode)) return Error{ErrorCode::unsupported, "it is no file", "", {}};
  std::string bytes;
  std::array<char, 1 << 16> buffer;
  while (bytes.size() <= kMaxFile) {
    const ssize_t count = ::read(file.get(), buffer.data(), buffer.size());
    if (count < 0) return failed;
    if (count == 0) break;
    bytes.append(buffer.data(), static_cast<std::size_t>(count));
  }
  if (bytes.size() > kMaxFile) return Error{ErrorCode::too_large, "it is over 1 MiB", "", {}};
  if (bytes.find('\0') != std::string::npos) {
    return Error{ErrorCode::unsupported, "it is no text", "", {}};
  }
  return text::repair_utf8(bytes);
}

Result<std::string> text_of(const arguments::Context& context, const Documents& documents,
                            lsp::Encoding encoding) {
  if (context.text) return *context.text;
  std::string whole;
  if (const std::string* open = documents.find(*context.uri)) {
    whole = *open;
  } else {
    const auto path = paths::from_uri(*context.uri);
    if (!path) return unusable(context, "it is no file URI, and no such document is open");
    auto read = read_file(*path);
    if (!read) return unusable(context, read.error().message);
    whole = *std::move(read);
  }
  if (!context.range) return whole;
  return std::string(slice(whole, *context.range, encoding));
}

/// "parser.cpp:10-20", or the kind where no document is named.
std::string label_of(const arguments::Context& context) {
  if (!context.uri) return context.kind;
  const auto path = paths::from_uri(*context.uri);
  std::string label = path ? *path : *context.uri;
  if (context.range) {
    label += ":" + std::to_string(context.range->start.line + 1) + "-" +
             std::to_string(context.range->end.line + 1);
  }
  return label;
}

}  // namespace

Ok fetch_material(arguments::Start& start, const Documents& documents, lsp::Encoding encoding) {
  for (const arguments::Context& context : start.context) {
    TRY(std::string text, text_of(context, documents, encoding));
    start.request.context.push_back({context.kind, label_of(context), std::move(text)});
  }
  auto& origin = start.request.origin;
  if (!origin || start.has_origin_text) return {};
  if (const std::string* open = documents.find(origin->uri)) {
    const lsp::Range range{{origin->start_line, origin->start_character},
                           {origin->end_line, origin->end_character}};
    origin->text = std::string(slice(*open, range, encoding));
  }
  return {};
}

}  // namespace brainstorm
