#pragma once
// Tells when the editor's process is gone: a second safety beside the end of stdin.

#include <cstdint>
#include <functional>
#include <memory>

namespace asio {
class any_io_executor;
}

namespace brainstorm {

class ParentWatch {
 public:
  /// nullptr when the process cannot be seen, as from inside a container: then it is not watched.
  static std::unique_ptr<ParentWatch> start(const asio::any_io_executor& executor,
                                            std::int64_t process, std::function<void()> gone);
  ~ParentWatch();
  ParentWatch(const ParentWatch&) = delete;
  ParentWatch& operator=(const ParentWatch&) = delete;

 private:
  struct Impl;
  explicit ParentWatch(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace brainstorm
