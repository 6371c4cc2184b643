#pragma once
// Where text goes: results to stdout, everything else to stderr, or one JSON object a line.

#include <string>
#include <string_view>

#include "protocol/json.h"
#include "protocol/result.h"

namespace brainstorm::cli {

class Output {
 public:
  /// Looks at the two streams, TERM and NO_COLOR. With `json` stdout carries events only.
  explicit Output(bool json);

  bool json() const { return json_; }
  /// The board may be redrawn in place: both streams are a terminal that can move its cursor.
  bool live() const { return live_; }
  bool colours() const { return colours_; }
  std::size_t width() const;

  /// Text of a result. Whatever wrote it, a terminal can show it. Once the reader of stdout is gone
  /// (`… | head`) it is dropped.
  void result(std::string_view text);
  /// A line for the person.
  void say(std::string_view line);
  /// Bytes for a terminal, escape sequences included.
  void draw(std::string_view bytes);
  /// {"event": name, …fields}
  void event(std::string_view name, const Json& fields);
  /// What happened and what to do; with --json also as an event.
  void error(const Error& error);

 private:
  bool json_;
  bool live_ = false;
  bool colours_ = false;
  bool closed_ = false;  // nobody reads stdout any more
};

}  // namespace brainstorm::cli
