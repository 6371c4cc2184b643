#include "server/store/front_matter.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace brainstorm;

TEST_CASE("front matter and body come back byte for byte") {
  const Json fronts[] = {nullptr, Json::object(), {{"title", "a: b"}, {"list", {1, "---"}}}};
  const std::string bodies[] = {"",         "text",  "text\n",
                                "\n\ntext", "---\n", "---\nnot a head\n",
                                "--- \n",   "\r\nx", "# Title\n\n---\n\nend\n",
                                "a\0b"};
  for (const Json& front : fronts) {
    for (const std::string& body : bodies) {
      CAPTURE(body);
      CAPTURE(front.dump());
      const std::string text = compose_front_matter(front, {"title"}, body);
      auto parts = split_front_matter(text, "x.md");
      REQUIRE(parts);
      CHECK(parts->body == body);
      CHECK(*parts->front == front);
    }
  }
  CHECK(compose_front_matter({{"b", 1}, {"a", "x"}}, {"b"}, "# T\n") ==
        "---\nb: 1\na: \"x\"\n---\n\n# T\n");
}

TEST_CASE("other people's files are read, broken ones refused") {
  auto windows = split_front_matter("---\r\na: 1\r\n---\r\nbody\r\n", "x.md");
  REQUIRE(windows);
  CHECK(*windows->front == Json{{"a", 1}});
  CHECK(windows->body == "body\r\n");
  for (const char* text :
       {"---\na: 1\n", "---\n- list\n---\n", "---\na: *x\n---\n", "---", "---\n"}) {
    CAPTURE(text);
    auto parts = split_front_matter(text, "x.md");
    REQUIRE_FALSE(parts);
    CHECK(parts.error().code == ErrorCode::parse_error);
    CHECK(parts.error().data.at("file") == "x.md");
  }
}
