#include "server/research/borders.h"

#include <algorithm>
#include <array>
#include <string>

#include "protocol/text.h"

namespace brainstorm {
namespace {

constexpr std::array<std::string_view, 25> kNames = {".git",
                                                     ".workflow",
                                                     ".ssh",
                                                     ".gnupg",
                                                     ".aws",
                                                     ".netrc",
                                                     "_netrc",
                                                     ".npmrc",
                                                     ".pypirc",
                                                     ".pgpass",
                                                     ".htpasswd",
                                                     ".my.cnf",
                                                     ".git-credentials",
                                                     ".dockercfg",
                                                     ".s3cfg",
                                                     ".boto",
                                                     "credentials",
                                                     "credentials.json",
                                                     "credentials.toml",
                                                     "id_rsa",
                                                     "id_dsa",
                                                     "id_ecdsa",
                                                     "id_ed25519",
                                                     "secring.gpg",
                                                     ".vault-token"};
constexpr std::array<std::string_view, 12> kEndings = {".pem", ".key",  ".p12",      ".pfx",
                                                       ".p8",  ".jks",  ".ppk",      ".asc",
                                                       ".gpg", ".kdbx", ".keystore", ".keychain"};

}  // namespace

bool is_private_name(std::string_view name) {
  const std::string lower = text::lower_ascii(name);
  if (lower.rfind(".env", 0) == 0) return true;
  if (std::find(kNames.begin(), kNames.end(), lower) != kNames.end()) return true;
  return std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) {
    return lower.size() > ending.size() &&
           std::string_view(lower).substr(lower.size() - ending.size()) == ending;
  });
}

bool is_private(std::string_view path) {
  while (true) {
    const auto slash = path.find('/');
    if (is_private_name(path.substr(0, slash))) return true;
    if (slash == std::string_view::npos) return false;
    path.remove_prefix(slash + 1);
  }
}

}  // namespace brainstorm
