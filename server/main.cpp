#include <string>
#include <vector>

#include "server/cli/cli.h"

int main(int argc, char** argv) {
  return brainstorm::cli::run(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
}
