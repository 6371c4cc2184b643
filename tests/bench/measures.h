#pragma once
// What is measured of one server. Times are in µs unless said otherwise.

#include <string>
#include <vector>

namespace brainstorm::bench {

/// How to start a server.
struct Contender {
  std::string name;
  std::vector<std::string> command;
};

struct Spread {
  double p50 = 0;
  double p99 = 0;
};

/// p50 and p99 by nearest rank; `samples` may come in any order.
Spread spread(std::vector<double> samples);

/// One process start until the answer to initialize, in ms.
double start_ms(const Contender& contender, const std::string& folder);

/// MiB resident after initialize, initialized and one request more.
double resident_mib(const Contender& contender, const std::string& folder);

/// `count` requests, each sent when the one before was answered: workspace/executeCommand of
/// brainstorm.models, a handled request that reads and changes nothing in either server.
Spread round_trips(const Contender& contender, const std::string& folder, int count);

/// Requests per second when `count` of them are sent without waiting.
double pipelined(const Contender& contender, const std::string& folder, int count);

/// Median ms for a request of `bytes` and the answer of the same size. The bytes are the request's
/// id, a string that every server must echo, so the work is the same in all.
double echo_ms(const Contender& contender, const std::string& folder, std::size_t bytes, int count);

/// From $/cancelRequest to the answer −32800 of the request that it cancels: a start with `wait`.
Spread cancels(const Contender& contender, const std::string& folder, int count);

/// The exponent of the power law that fits times at 1, 10 and 100 x the work: on equal logarithmic
/// steps least squares gives the middle one no weight.
double growth(double at_1, double at_100);

}  // namespace brainstorm::bench
