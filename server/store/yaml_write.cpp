#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "protocol/text.h"
#include "server/store/yaml.h"

namespace brainstorm {
namespace {

/// Readers accept a key of at most 1024 characters without the explicit "? " form.
constexpr std::size_t kLongKey = 500;

bool is_word_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// What some reader, of YAML 1.1 or 1.2, takes for a boolean or null.
bool is_reserved(std::string_view key) {
  static constexpr std::array<std::string_view, 9> kWords = {"y",   "n",    "yes",   "no",  "on",
                                                             "off", "true", "false", "null"};
  const std::string lower = text::lower_ascii(key);
  return std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
}

bool is_plain_key(std::string_view key) {
  if (key.empty() || key.size() > 100 || !is_word_start(key[0]) || is_reserved(key)) return false;
  return std::all_of(key.begin(), key.end(),
                     [](char c) { return is_word_start(c) || (c >= '0' && c <= '9') || c == '-'; });
}

void append_hex(std::string& out, unsigned value, int digits) {
  static constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) out += kDigits[(value >> shift) & 15U];
}

/// Length of the sequence at the start of `rest` when it stands for a character that must be
/// escaped though it is no ASCII: C1 controls, line and paragraph separator, byte order mark,
/// U+FFFE, U+FFFF.
std::size_t special(std::string_view rest, unsigned& code) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(rest[i]); };
  if (byte(0) == 0xC2 && byte(1) < 0xA0) {
    code = byte(1);
    return 2;
  }
  if (byte(0) != 0xE2 && byte(0) != 0xEF) return 0;
  code = (byte(0) & 0x0FU) << 12 | (byte(1) & 0x3FU) << 6 | (byte(2) & 0x3FU);
  const bool escape = code == 0x2028 || code == 0x2029 || code == 0xFEFF || code >= 0xFFFE;
  return escape ? 3 : 0;
}

void append_control(std::string& out, char c) {
  switch (c) {
    case '\0':
      out += "\\0";
      break;
    case '\b':
      out += "\\b";
      break;
    case '\t':
      out += "\\t";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\f':
      out += "\\f";
      break;
    case '\r':
      out += "\\r";
      break;
    default:
      out += "\\x";
      append_hex(out, static_cast<unsigned char>(c), 2);
  }
}

void append_quoted(std::string& out, const std::string& raw) {
  const bool valid = text::is_valid_utf8(raw);
  const std::string repaired = valid ? std::string() : text::repair_utf8(raw);
  const std::string_view value = valid ? raw : repaired;
  out += '"';
  for (std::size_t i = 0; i < value.size(); ++i) {
    const char c = value[i];
    unsigned code = 0;
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      append_control(out, c);
    } else if (const std::size_t length =
                   static_cast<unsigned char>(c) < 0x80 ? 0 : special(value.substr(i), code)) {
      out += "\\u";
      append_hex(out, code, 4);
      i += length - 1;
    } else {
      out += c;
    }
  }
  out += '"';
}

std::string number_text(const Json& value) {
  if (!value.is_number_float()) return value.dump();
  if (!std::isfinite(value.get<double>())) return "null";
  std::string digits = value.dump();
  // YAML 1.1 takes 1e+22 for a string: it wants the point.
  const auto exponent = digits.find('e');
  if (exponent != std::string::npos && digits.find('.') == std::string::npos) {
    digits.insert(exponent, ".0");
  }
  return digits;
}

class Writer {
 public:
  explicit Writer(const std::vector<std::string_view>& leading) : leading_(leading) {}

  /// Writes what follows "key:", "-" or the start of the document, whose lines begin at `indent`.
  /// `same_line`: a mapping or list may begin right here (after "- " or at the start).
  void value(const Json& node, std::size_t indent, bool same_line) {
    if (node.is_object() && !node.empty()) return mapping(node, indent, same_line);
    if (node.is_array() && !node.empty()) return list(node, indent);
    if (!same_line) out_ += ' ';
    scalar(node);
    out_ += '\n';
  }

  std::string take() { return std::move(out_); }

 private:
  void scalar(const Json& node) {
    if (node.is_string()) return append_quoted(out_, node.get_ref<const std::string&>());
    if (node.is_boolean())
      out_ += node.get<bool>() ? "true" : "false";
    else if (node.is_number())
      out_ += number_text(node);
    else if (node.is_object())
      out_ += "{}";
    else if (node.is_array())
      out_ += "[]";
    else
      out_ += "null";
  }

  void member(const std::string& key, const Json& node, std::size_t indent, bool indented) {
    if (indented) out_.append(indent, ' ');
    if (key.size() > kLongKey) {
      out_ += "? ";
      append_quoted(out_, key);
      out_ += '\n';
      out_.append(indent, ' ');
    } else if (is_plain_key(key)) {
      out_ += key;
    } else {
      append_quoted(out_, key);
    }
    out_ += ':';
    value(node, indent + 2, false);
  }

  void mapping(const Json& node, std::size_t indent, bool same_line) {
    if (!same_line) out_ += '\n';
    bool first = same_line;
    const auto write = [&](const std::string& key, const Json& child) {
      member(key, child, indent, !first);
      first = false;
    };
    for (const std::string_view key : leading_) {
      const auto found = node.find(std::string(key));
      if (found != node.end()) write(found.key(), *found);
    }
    for (const auto& [key, child] : node.items()) {
      if (std::find(leading_.begin(), leading_.end(), key) == leading_.end()) write(key, child);
    }
  }

  void list(const Json& node, std::size_t indent) {
    if (!out_.empty() && out_.back() != '\n') out_ += '\n';
    for (const Json& item : node) {
      out_.append(indent, ' ');
      out_ += '-';
      const bool nested = item.is_array() && !item.empty();
      if (!nested) out_ += ' ';
      value(item, indent + 2, !nested);
    }
  }

  const std::vector<std::string_view>& leading_;
  std::string out_;
};

}  // namespace

std::string write_yaml(const Json& value, const std::vector<std::string_view>& leading) {
  Writer writer(leading);
  writer.value(value, 0, true);
  return writer.take();
}

}  // namespace brainstorm
