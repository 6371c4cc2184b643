#include "server/lsp/documents.h"

#include <algorithm>
#include <utility>

#include "protocol/text.h"
#include "server/os/paths.h"

namespace brainstorm {
namespace {

std::string key_of(const std::string& uri) {
  auto path = paths::from_uri(uri);
  if (!path) return uri;
  // "/C:/…" and "/c:/…" are one drive.
  std::string key = *std::move(path);
  const bool drive = key.size() > 2 && key[0] == '/' && key[2] == ':';
  if (drive && key[1] >= 'A' && key[1] <= 'Z') key[1] = static_cast<char>(key[1] - 'A' + 'a');
  return key;
}

/// Start of a line; the end of the text when there are fewer. LSP ends lines with \n, \r\n or \r.
std::size_t line_start(std::string_view text, int line) {
  std::size_t at = 0;
  for (; line > 0; --line) {
    at = text.find_first_of("\r\n", at);
    if (at == std::string_view::npos) return text.size();
    at += text.substr(at).starts_with("\r\n") ? 2 : 1;
  }
  return at;
}

bool inside_character(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
}

std::pair<std::size_t, std::size_t> offsets(std::string_view text, const lsp::Range& range,
                                            lsp::Encoding encoding) {
  return std::minmax(
      {offset_of(text, range.start, encoding), offset_of(text, range.end, encoding)});
}

}  // namespace

std::size_t offset_of(std::string_view text, lsp::Position position, lsp::Encoding encoding) {
  const std::size_t start = line_start(text, position.line);
  const std::size_t end = std::min(text.find_first_of("\r\n", start), text.size());
  const std::string_view line = text.substr(start, end - start);
  const auto column = static_cast<std::size_t>(std::max(position.character, 0));
  if (encoding == lsp::Encoding::utf16) return start + text::byte_of_utf16(line, column);
  std::size_t at = std::min(column, line.size());
  while (at > 0 && inside_character(line, at)) --at;
  return start + at;
}

std::string_view slice(std::string_view text, const lsp::Range& range, lsp::Encoding encoding) {
  const auto [from, to] = offsets(text, range, encoding);
  return text.substr(from, to - from);
}

void Documents::open(lsp::OpenedDocument document) {
  texts_[key_of(document.uri)] = std::move(document.text);
}

bool Documents::change(const lsp::DocumentChange& change, lsp::Encoding encoding) {
  const auto found = texts_.find(key_of(change.uri));
  if (found == texts_.end()) return false;
  std::string& text = found->second;
  for (const lsp::ContentChange& one : change.changes) {
    if (!one.range) {
      text = one.text;
      continue;
    }
    const auto [from, to] = offsets(text, *one.range, encoding);
    text.replace(from, to - from, one.text);
  }
  return true;
}

void Documents::close(const std::string& uri) { texts_.erase(key_of(uri)); }

const std::string* Documents::find(const std::string& uri) const {
  const auto found = texts_.find(key_of(uri));
  return found == texts_.end() ? nullptr : &found->second;
}

}  // namespace brainstorm
