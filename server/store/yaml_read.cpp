#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "protocol/text.h"
#include "server/store/yaml.h"

namespace brainstorm {
namespace {

/// Ends yaml-cpp's parsing from inside an event; never leaves this file.
struct Refusal {
  ErrorCode code;
  std::string reason;
  int line;  // 0-based
};

bool all_of(std::string_view text, bool (*test)(char)) {
  return !text.empty() && std::all_of(text.begin(), text.end(), test);
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_octal(char c) { return c >= '0' && c <= '7'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

/// [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?
bool is_float(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  const auto exponent = text.find_first_of("eE");
  if (exponent != std::string_view::npos) {
    std::string_view power = text.substr(exponent + 1);
    if (!power.empty() && (power[0] == '-' || power[0] == '+')) power.remove_prefix(1);
    if (!all_of(power, is_digit)) return false;
    text = text.substr(0, exponent);
  }
  const auto point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const std::string_view part =
      point == std::string_view::npos ? std::string_view() : text.substr(point + 1);
  if (!whole.empty() && !all_of(whole, is_digit)) return false;
  if (!part.empty() && !all_of(part, is_digit)) return false;
  return !whole.empty() || !part.empty();
}

template <class Number>
bool convert(std::string_view digits, int base, Number& number) {
  const auto end = digits.data() + digits.size();
  const auto result = std::from_chars(digits.data(), end, number, base);
  return result.ec == std::errc() && result.ptr == end;
}

Json integer(std::string_view digits, int base, double fallback) {
  std::int64_t small = 0;
  if (convert(digits, base, small)) return small;
  std::uint64_t large = 0;
  if (convert(digits, base, large)) return large;
  return fallback;
}

double to_double(std::string_view text) {
  if (!text.empty() && text[0] == '+') text.remove_prefix(1);
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc() ? value : std::nan("");
}

bool is_not_finite(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  return text == ".inf" || text == ".Inf" || text == ".INF" || text == ".nan" || text == ".NaN" ||
         text == ".NAN";
}

/// A plain scalar by the core schema of YAML 1.2. Null never arrives here.
Json resolve(const std::string& value, int line) {
  const std::string_view text = value;
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  if (text.substr(0, 2) == "0o" && all_of(text.substr(2), is_octal)) {
    return integer(text.substr(2), 8, 0);
  }
  if (text.substr(0, 2) == "0x" && all_of(text.substr(2), is_hex)) {
    return integer(text.substr(2), 16, 0);
  }
  if (is_not_finite(text)) {
    throw Refusal{ErrorCode::parse_error, value + " is no number that we can use", line};
  }
  if (!is_float(text)) return value;
  const double number = to_double(text);
  if (!std::isfinite(number)) {
    throw Refusal{ErrorCode::parse_error, "the number is out of range", line};
  }
  const std::string_view unsigned_part =
      text.substr(!text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0);
  if (!all_of(unsigned_part, is_digit)) return number;
  return integer(text[0] == '+' ? unsigned_part : text, 10, number);
}

/// Builds the value from yaml-cpp's events, which is where aliases can still be refused: its node
/// tree would share and even contain itself.
class Builder : public YAML::EventHandler {
 public:
  explicit Builder(YamlLines* lines) : lines_(lines) {}
  Json take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) refuse("it holds a second document", mark);
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    check("?", anchor, mark);
    if (expects_key()) refuse("a key is missing or null", mark);
    add(nullptr, mark);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    refuse("aliases (*name) are not accepted", mark);
  }
  void OnAnchor(const YAML::Mark& mark, const std::string&) override {
    refuse("anchors (&name) are not accepted", mark);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    check(tag, anchor, mark);
    if (expects_key()) return set_key(value, mark);
    if (tag == "!") return add(value, mark);
    add(resolve(value, mark.line), mark);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(Json::array(), tag, anchor, mark);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(Json::object(), tag, anchor, mark);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Frame {
    Json value;
    std::string key;
    bool has_key = false;
    std::size_t path_length = 0;  // of path_ outside this frame's members
  };

  [[noreturn]] static void refuse(const std::string& reason, const YAML::Mark& mark,
                                  ErrorCode code = ErrorCode::parse_error) {
    throw Refusal{code, reason, mark.line};
  }
  void check(const std::string& tag, YAML::anchor_t anchor, const YAML::Mark& mark) {
    if (anchor != YAML::NullAnchor) refuse("anchors (&name) are not accepted", mark);
    if (!tag.empty() && tag != "?" && tag != "!") refuse("tags (!name) are not accepted", mark);
    if (++nodes_ > kMaxYamlNodes) refuse("it has too many entries", mark, ErrorCode::too_large);
  }
  bool expects_key() const {
    return !frames_.empty() && frames_.back().value.is_object() && !frames_.back().has_key;
  }
  void set_key(const std::string& key, const YAML::Mark& mark) {
    Frame& frame = frames_.back();
    if (frame.value.contains(key)) {
      refuse("the key \"" + text::shorten(text::one_line(key), 60) + "\" stands there twice", mark);
    }
    frame.key = key;
    frame.has_key = true;
    path_.resize(frame.path_length);
    if (lines_ == nullptr) return;
    if (!path_.empty()) path_ += '.';
    path_ += key;
    lines_->emplace(path_, mark.line + 1);
  }
  void begin_item(const YAML::Mark& mark) {
    if (frames_.empty() || !frames_.back().value.is_array() || lines_ == nullptr) return;
    path_.resize(frames_.back().path_length);
    path_ += '[' + std::to_string(frames_.back().value.size()) + ']';
    lines_->emplace(path_, mark.line + 1);
  }
  void store(Json value) {
    if (frames_.empty()) {
      root_ = std::move(value);
      return;
    }
    Frame& frame = frames_.back();
    if (frame.value.is_array()) return frame.value.push_back(std::move(value));
    frame.value[frame.key] = std::move(value);
    frame.has_key = false;
  }
  void add(Json value, const YAML::Mark& mark) {
    begin_item(mark);
    store(std::move(value));
  }
  void open(Json empty, const std::string& tag, YAML::anchor_t anchor, const YAML::Mark& mark) {
    check(tag, anchor, mark);
    if (expects_key()) refuse("a key must be plain text", mark);
    if (frames_.size() >= static_cast<std::size_t>(kMaxYamlDepth)) {
      refuse("it is nested too deeply", mark, ErrorCode::too_large);
    }
    begin_item(mark);
    frames_.push_back(Frame{std::move(empty), {}, false, path_.size()});
  }
  void close() {
    Json value = std::move(frames_.back().value);
    frames_.pop_back();
    store(std::move(value));
  }

  YamlLines* lines_;
  Json root_;
  std::vector<Frame> frames_;
  std::string path_;
  int nodes_ = 0;
  int documents_ = 0;
};

Error yaml_error(ErrorCode code, const std::string& name, const std::string& reason, int line) {
  const std::string number = std::to_string(line + 1);
  return Error{code,
               name + ", line " + number + ": " + reason,
               "Correct that line.",
               {{"file", name}, {"line", number}}};
}

/// yaml-cpp guesses other encodings from NULs, takes U+0004 for the end of the text and lets
/// controls through; YAML allows none of that.
Ok check_bytes(std::string_view bytes, const std::string& name) {
  if (bytes.size() > kMaxYamlBytes) {
    return Error{
        ErrorCode::too_large, name + " is larger than 1 MiB", "Make it smaller.", {{"file", name}}};
  }
  if (!text::is_valid_utf8(bytes)) {
    return yaml_error(ErrorCode::parse_error, name, "the file is not valid UTF-8", 0);
  }
  int line = 0;
  for (const char c : bytes) {
    if (c == '\n') ++line;
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' && c != '\r') {
      return yaml_error(ErrorCode::parse_error, name, "it holds a control character", line);
    }
  }
  return {};
}

}  // namespace

Result<Json> read_yaml(std::string_view text, const std::string& name, YamlLines* lines) {
  TRY_OK(check_bytes(text, name));
  Builder builder(lines);
  std::string whole(text);
  // yaml-cpp closes an open quote at the last line break by itself, unless a document ends there.
  if (!whole.empty() && whole.back() == '\n') whole += "...\n";
  try {
    std::istringstream input{whole};
    YAML::Parser parser(input);
    while (parser.HandleNextDocument(builder)) {
    }
    return builder.take();
  } catch (const Refusal& refusal) {
    return yaml_error(refusal.code, name, refusal.reason, refusal.line);
  } catch (const YAML::Exception& caught) {
    return yaml_error(ErrorCode::parse_error, name, caught.msg, std::max(caught.mark.line, 0));
  } catch (const std::exception& caught) {
    return yaml_error(ErrorCode::parse_error, name, caught.what(), 0);
  }
}

}  // namespace brainstorm
