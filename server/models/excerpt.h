#pragma once
// Text of a workspace made fit to stand in an artefact: what is quoted may not act.

#include <string>
#include <string_view>

namespace brainstorm::offline {

/// The longest harmless part of a line, at most 120 code points, for a Markdown code span. Text is
/// left out, never altered (runs of white space become one space), so that the quote can be found
/// again; an ellipsis stands at each end where something is missing. Left out are backticks,
/// control characters and escape sequences, invisible and direction marks, HTML tags, link ends and
/// command-like schemes. Empty when nothing worth quoting remains, or the line looks like a secret.
std::string excerpt(std::string_view line);

/// A path that can stand in a citation: no control or invisible characters, quotes or markup.
bool citable(std::string_view path);

}  // namespace brainstorm::offline
