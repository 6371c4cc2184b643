#include "server/cli/context_files.h"

#include "protocol/text.h"
#include "server/settings/files.h"

namespace brainstorm::cli {
namespace {

Error refused(const std::string& path, const std::string& why) {
  return Error{ErrorCode::invalid_argument,
               "--context " + path + ": " + why,
               "Name a text file of at most 1 MiB.",
               {{"field", "context"}, {"file", path}}};
}

}  // namespace

Result<std::vector<ContextItem>> read_context(const std::vector<std::string>& paths) {
  std::vector<ContextItem> items;
  for (const auto& path : paths) {
    auto file = settings::read_own(path);
    if (!file) return refused(path, "it is no readable file of at most 1 MiB.");
    if (!file->exists) return refused(path, "there is no such file.");
    const bool binary = file->text.find('\0') != std::string::npos;
    if (binary || !text::is_valid_utf8(file->text)) return refused(path, "it is not UTF-8 text.");
    items.push_back({"file", text::one_line(text::repair_utf8(path)), std::move(file->text)});
  }
  return items;
}

}  // namespace brainstorm::cli
