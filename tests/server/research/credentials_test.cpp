#include <doctest/doctest.h>

#include <chrono>

#include "server/research/workspace.h"

using namespace brainstorm;

namespace {

// Joined here, so that no scanner takes this file for a leak.
const std::string kAlnum = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0";

}  // namespace

TEST_CASE("what looks like a credential is masked, its line stays") {
  struct Case {
    std::string text;
    std::string masked;
  };
  const Case cases[] = {
      {"key = sk-" + kAlnum, "key = [masked]"},
      {"x sk-ant-api03-" + kAlnum + " y", "x [masked] y"},
      {"(ghp_" + kAlnum + ")", "([masked])"},
      {"github_pat_" + kAlnum, "[masked]"},
      {"AKIA"
       "IOSFODNN7EXAMPLE",
       "[masked]"},
      {"AIza" + kAlnum, "[masked]"},
      {"xoxb-"
       "123456789012-abcdefghij",
       "[masked]"},
      {"a eyJ"
       "hbGciOiJIUzI1NiJ9.eyJ"
       "zdWIiOiIxIn0.c2lnbmF0dXJl b",
       "a [masked] b"},
      {"password: \"correct horse9\"", "password: \"correct horse9\""},  // words, not a secret
      {"password: \"hunter2hunter2\"", "password: \"[masked]\""},
      {"DB_PASSWORD=hunter2hunter2\r\nx", "DB_PASSWORD=[masked]\r\nx"},
      {"DB_PASSWORD=hunter2hunter2", "DB_PASSWORD=[masked]"},
      {"export API_KEY='" + kAlnum + "' # mine", "export API_KEY='[masked]' # mine"},
      {"\"client_secret\": \"" + kAlnum + "\",", "\"client_secret\": \"[masked]\","},
      {"aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY",
       "aws_secret_access_key = [masked]"},
      {"Authorization: Bearer " + kAlnum, "Authorization: Bearer [masked]"},
      {"url: postgres://user:hunter2@db.internal/x", "url: postgres://user:[masked]@db.internal/x"},
      {"token := \"" + kAlnum + "\"", "token := \"[masked]\""},
      {"a\n-----BEGIN RSA "
       "PRIVATE KEY-----\nMIIE\nabc\n-----END RSA "
       "PRIVATE KEY-----\nb",
       "a\n-----BEGIN RSA "
       "PRIVATE KEY-----\n[masked]\n[masked]\n-----END RSA "
       "PRIVATE KEY-----\nb"},
  };
  for (const Case& item : cases) {
    CAPTURE(item.text);
    CHECK(mask_credentials(item.text) == item.masked);
  }
}

TEST_CASE("ordinary code and prose stay as they are") {
  const std::string cases[] = {"",
                               "\n",
                               "\n\nx\r\n",
                               "const auto token = parser.next_token();",
                               "if (token == Token::kIdentifier2) return;",
                               "std::string password;",
                               "password = read_line()",
                               "api_key: ${API_KEY}",
                               "secret = \"<your secret here>\"",
                               "token: \"short\"",
                               "https://example.org/a:b@c",
                               "http://localhost:8080/x",
                               "scheme://user@host",
                               "sk-learn is a library",
                               "the secret: nothing at all",
                               "max_tokens = 4096",
                               "let token_count = tokens.len();",
                               "\"token\": \"string\"",
                               "ASIA is large, AKIA too",
                               "-----BEGIN CERTIFICATE-----\nMIIC\n-----END CERTIFICATE-----",
                               "eyJust.a.word",
                               "🎉 password ist 日本語",
                               "Bearer of news",
                               "task-force-1234567890-abcdefghij"};
  for (const std::string& text : cases) {
    CAPTURE(text);
    CHECK(mask_credentials(text) == text);
  }
}

TEST_CASE("a megabyte is masked in a moment, whatever it is") {
  for (const std::string unit :
       {"x", "=", ":", "password=", "sk-", "a://b:c@", "\"", "\n", "-----BEGIN "}) {
    CAPTURE(unit);
    std::string text;
    while (text.size() < (std::size_t{1} << 20)) text += unit;
    const auto begin = std::chrono::steady_clock::now();
    const std::string masked = mask_credentials(text);
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(2));
    CHECK(std::count(masked.begin(), masked.end(), '\n') ==
          std::count(text.begin(), text.end(), '\n'));
  }
}
