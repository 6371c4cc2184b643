#include "tests/bench/measures.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string_view>

#include "tests/bench/server_process.h"

namespace brainstorm::bench {
namespace {

double since(Timer::time_point began) { return Micros(Timer::now() - began).count(); }

std::string small_request(int id) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
         R"(,"method":"workspace/executeCommand","params":{"command":"brainstorm.models","arguments":[{}]}})";
}

/// A server that has settled: started, initialised, its code paths used a few times.
void warm_up(ServerProcess& server, const std::string& folder, int requests) {
  server.initialize(folder);
  for (int id = 1; id <= requests; ++id) {
    server.send(small_request(id));
    const std::string body = server.answer();
    if (body.find("\"result\"") == std::string::npos) give_up("a small request failed: " + body);
  }
}

}  // namespace

Spread spread(std::vector<double> samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  const auto rank = [&](double part) {
    const double position = std::ceil(part * static_cast<double>(samples.size()));
    return samples[static_cast<std::size_t>(std::max(1.0, position)) - 1];
  };
  return {rank(0.5), rank(0.99)};
}

double start_ms(const Contender& contender, const std::string& folder) {
  const auto began = Timer::now();
  ServerProcess server(contender.command, folder);
  server.initialize(folder);
  return since(began) / 1000;
}

double resident_mib(const Contender& contender, const std::string& folder) {
  ServerProcess server(contender.command, folder);
  warm_up(server, folder, 1);
  return server.resident();
}

Spread round_trips(const Contender& contender, const std::string& folder, int count) {
  ServerProcess server(contender.command, folder);
  warm_up(server, folder, 500);
  std::vector<double> samples;
  samples.reserve(static_cast<std::size_t>(count));
  for (int id = 1; id <= count; ++id) {
    const std::string request = small_request(id);
    const auto began = Timer::now();
    server.send(request);
    server.answer();
    samples.push_back(since(began));
  }
  return spread(std::move(samples));
}

double pipelined(const Contender& contender, const std::string& folder, int count) {
  ServerProcess server(contender.command, folder);
  warm_up(server, folder, 500);
  std::string frames;
  for (int id = 1; id <= count; ++id) frames += frame(small_request(id));
  const auto began = Timer::now();
  server.exchange(frames, static_cast<std::size_t>(count));
  return count / (since(began) / 1'000'000);
}

double echo_ms(const Contender& contender, const std::string& folder, std::size_t bytes,
               int count) {
  ServerProcess server(contender.command, folder);
  warm_up(server, folder, 50);
  // Text as it comes from documents: letters, escapes, and characters of two to four bytes.
  std::string id;
  while (id.size() < bytes)
    id += "The quick brown fox \\\"jumps\\\" over\\n the lazy dog: größer 日本 🎈 ";
  const std::string request =
      frame(R"({"jsonrpc":"2.0","id":")" + id + R"(","method":"shown/nobody"})");
  std::vector<double> samples;
  for (int round = 0; round < count; ++round) {
    const auto began = Timer::now();
    server.exchange(request, 1);
    samples.push_back(since(began) / 1000);
  }
  return spread(std::move(samples)).p50;
}

Spread cancels(const Contender& contender, const std::string& folder, int count) {
  ServerProcess server(contender.command, folder);
  warm_up(server, folder, 50);
  std::vector<double> samples;
  for (int id = 1000; id < 1000 + count; ++id) {
    server.send(
        R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
        R"(,"method":"workspace/executeCommand","params":{"command":"brainstorm.start","arguments":[)"
        R"({"question":"Should the parser be generated?","wait":true}]}})");
    const std::string cancel = R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":)" +
                               std::to_string(id) + "}}";
    const auto began = Timer::now();
    server.send(cancel);
    const std::string body = server.answer();
    if (body.find("-32800") == std::string::npos)
      give_up("a cancelled request was answered: " + body);
    samples.push_back(since(began));
  }
  return spread(std::move(samples));
}

double growth(double at_1, double at_100) { return (std::log10(at_100) - std::log10(at_1)) / 2; }

}  // namespace brainstorm::bench
