#pragma once
// The texts of open documents, kept in step with the editor. Closed documents are forgotten.

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/lsp.h"

namespace brainstorm {

/// Byte offset of a position. A column past its line's end is the end of the line, a line past the
/// last one the end of the text; inside a character (a surrogate pair, a UTF-8 sequence) its start.
std::size_t offset_of(std::string_view text, lsp::Position position, lsp::Encoding encoding);

class Documents {
 public:
  void open(lsp::OpenedDocument document);
  /// Changes of a document that is not open are ignored: false.
  bool change(const lsp::DocumentChange& change, lsp::Encoding encoding);
  void close(const std::string& uri);

  /// nullptr when it is not open. The spelling of the URI does not matter.
  const std::string* find(const std::string& uri) const;
  std::size_t count() const { return texts_.size(); }

 private:
  std::map<std::string, std::string> texts_;  // by path, or by URI where that is no path
};

/// The text between two positions, in whichever order they come.
std::string_view slice(std::string_view text, const lsp::Range& range, lsp::Encoding encoding);

}  // namespace brainstorm
