#include "commands/swarm/perspective.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "protocol/text.h"

namespace brainstorm {
namespace {

enum class Section { none, key, further, evidence, confidence, blind_spots, other };

struct Label {
  std::string_view text;
  Section section;
};

constexpr std::array kLabels = {
    Label{"key insight", Section::key},
    Label{"further insight", Section::further},
    Label{"other insight", Section::further},
    Label{"additional insight", Section::further},
    Label{"supporting evidence", Section::evidence},
    Label{"evidence", Section::evidence},
    Label{"confidence", Section::confidence},
    Label{"blind spot", Section::blind_spots},
    Label{"blindspot", Section::blind_spots},
};

constexpr std::size_t kMostFurther = 3;

struct Heading {
  Section section = Section::none;
  std::string_view rest;  // text after the label on the same line
};

std::string_view skip(std::string_view line, std::string_view set) {
  const std::size_t at = line.find_first_not_of(set);
  return at == std::string_view::npos ? std::string_view{} : line.substr(at);
}

/// "## Key insights", "**Key Insight:** text", "3. Confidence: 4", "Blind spots:".
Heading read_heading(std::string_view line) {
  const std::string_view trimmed = text::trim(line);
  const bool marked =
      trimmed.starts_with('#') || trimmed.starts_with("**") || trimmed.starts_with("__");
  const std::string_view bare = skip(trimmed, "#*_ \t0123456789.)");
  for (const Label& label : kLabels) {
    if (!text::starts_with_ci(bare, label.text)) continue;
    std::string_view rest = bare.substr(label.text.size());
    if (rest.starts_with('s') || rest.starts_with('S')) rest.remove_prefix(1);
    const std::string_view after = skip(rest, " \t*_");
    const bool ends = after.empty() || after.starts_with(':') || after.starts_with('(') ||
                      after.starts_with("—") || after.starts_with("- ");
    if (!ends || (!marked && !after.starts_with(':') && !after.empty())) continue;
    if (!marked && after.empty() && rest.size() != after.size() && trimmed.size() > 40) continue;
    return {label.section, text::trim(skip(after, ":*_ \t"))};
  }
  if (trimmed.starts_with("# ") || trimmed.starts_with("## ") || trimmed.starts_with("### ")) {
    return {Section::other, {}};
  }
  return {};
}

bool is_bullet(std::string_view line) {
  if (line.starts_with("- ") || line.starts_with("* ") || line.starts_with("+ ") ||
      line.starts_with("• ")) {
    return true;
  }
  const std::size_t digits = line.find_first_not_of("0123456789");
  return digits != std::string_view::npos && digits > 0 && digits <= 2 &&
         (line[digits] == '.' || line[digits] == ')') && digits + 1 < line.size() &&
         line[digits + 1] == ' ';
}

std::string_view without_bullet(std::string_view line) {
  if (line.starts_with("• ")) return text::trim(line.substr(std::string_view("• ").size()));
  if (line.starts_with("- ") || line.starts_with("* ") || line.starts_with("+ ")) {
    return text::trim(line.substr(2));
  }
  return text::trim(line.substr(line.find(' ')));
}

/// Bullets, each with its continuation lines; without bullets every paragraph is one.
std::vector<std::string> items(const std::vector<std::string_view>& lines) {
  std::vector<std::string> found;
  bool fresh = true;
  for (const std::string_view raw : lines) {
    const std::string_view line = text::trim(raw);
    if (line.empty()) {
      fresh = true;
      continue;
    }
    if (is_bullet(line)) {
      found.emplace_back(without_bullet(line));
    } else if (fresh || found.empty()) {
      found.emplace_back(line);
    } else {
      found.back() += ' ';
      found.back() += line;
    }
    fresh = false;
  }
  std::erase_if(found, [](const std::string& item) { return item.empty(); });
  return found;
}

/// A code fence round the whole answer is taken off.
std::vector<std::string_view> answer_lines(std::string_view answer) {
  std::vector<std::string_view> lines = text::lines(answer);
  while (!lines.empty() && text::trim(lines.back()).empty()) lines.pop_back();
  while (!lines.empty() && text::trim(lines.front()).empty()) lines.erase(lines.begin());
  if (lines.size() > 2 && text::trim(lines.front()).starts_with("```") &&
      text::trim(lines.back()) == "```") {
    lines.pop_back();
    lines.erase(lines.begin());
  }
  return lines;
}

/// The first number of "4", "4/5", "4 out of 5", "**4**", "-2", "Confidence level: 3.5".
std::optional<double> first_number(const std::vector<std::string_view>& lines) {
  for (const std::string_view line : lines) {
    const std::size_t digit = line.find_first_of("0123456789");
    if (digit == std::string_view::npos) continue;
    const bool negative = digit > 0 && line[digit - 1] == '-';
    double value = 0;
    const auto read = std::from_chars(line.data() + digit, line.data() + line.size(), value);
    if (read.ec == std::errc{}) return negative ? -value : value;
  }
  return std::nullopt;
}

void set_confidence(Perspective& perspective, std::optional<double> number) {
  if (!number) return;
  if (*number < 1) {
    perspective.warnings.push_back(perspective.archetype + ": confidence below minimum, set to 1");
    perspective.confidence = 1;
  } else if (*number > 5) {
    perspective.warnings.push_back(perspective.archetype + ": confidence above maximum, set to 5");
    perspective.confidence = 5;
  } else {
    perspective.confidence = static_cast<int>(*number);
  }
}

}  // namespace

Perspective parse_perspective(std::string_view archetype, std::string_view answer) {
  std::array<std::vector<std::string_view>, 7> sections;
  Section current = Section::none;
  for (const std::string_view line : answer_lines(answer)) {
    const Heading heading = read_heading(line);
    if (heading.section != Section::none) {
      current = heading.section;
      if (!heading.rest.empty())
        sections[static_cast<std::size_t>(current)].push_back(heading.rest);
      continue;
    }
    sections[static_cast<std::size_t>(current)].push_back(line);
  }
  auto of = [&](Section section) -> auto& { return sections[static_cast<std::size_t>(section)]; };
  Perspective perspective;
  perspective.archetype = archetype;
  perspective.key_insight = text::one_line(text::join(items(of(Section::key)), " "));
  perspective.further = items(of(Section::further));
  if (perspective.further.size() > kMostFurther) {
    perspective.warnings.push_back(perspective.archetype +
                                   ": more than three further insights, the first three are used");
    perspective.further.resize(kMostFurther);
  }
  perspective.evidence = items(of(Section::evidence));
  perspective.blind_spots = items(of(Section::blind_spots));
  set_confidence(perspective, first_number(of(Section::confidence)));
  return perspective;
}

std::vector<std::string> missing_elements(const Perspective& perspective) {
  std::vector<std::string> missing;
  if (perspective.key_insight.empty()) missing.emplace_back("key insight");
  if (perspective.evidence.empty()) missing.emplace_back("supporting evidence");
  if (!perspective.confidence) missing.emplace_back("confidence");
  if (perspective.blind_spots.empty()) missing.emplace_back("blind spots");
  return missing;
}

std::string render_perspective(const Perspective& perspective) {
  auto bullets = [](const std::vector<std::string>& list) {
    std::string body;
    for (const std::string& item : list) body += "- " + item + "\n";
    return body;
  };
  std::string body = "## Key insight\n\n" + perspective.key_insight + "\n\n";
  if (!perspective.further.empty()) {
    body += "## Further insights\n\n" + bullets(perspective.further) + "\n";
  }
  body += "## Supporting evidence\n\n" + bullets(perspective.evidence) + "\n";
  body += "## Confidence\n\n" + std::to_string(perspective.confidence.value_or(1)) + "\n\n";
  body += "## Blind spots\n\n" + bullets(perspective.blind_spots);
  return body;
}

std::vector<Insight> insights_of(const Perspective& perspective) {
  std::vector<Insight> insights;
  auto add = [&](std::string id, const std::string& words) {
    insights.push_back({std::move(id), perspective.archetype, words,
                        perspective.confidence.value_or(1), perspective.research_backed,
                        perspective.evidence});
  };
  add(perspective.archetype + "_insight", perspective.key_insight);
  for (std::size_t i = 0; i < perspective.further.size(); ++i) {
    add(perspective.archetype + "_further_" + std::to_string(i + 1), perspective.further[i]);
  }
  return insights;
}

}  // namespace brainstorm
