# Every library that is not ours, behind a short name. CONTRIBUTING.md gives the reason for each.
# Static archives are preferred, so that the binary runs where only glibc and libcurl are installed.

find_package(Threads REQUIRED)

add_library(nlohmann INTERFACE)
find_package(nlohmann_json 3.11 REQUIRED)
find_path(TL_EXPECTED_INCLUDE tl/expected.hpp REQUIRED)
target_link_libraries(nlohmann INTERFACE nlohmann_json::nlohmann_json)
target_include_directories(nlohmann SYSTEM INTERFACE ${TL_EXPECTED_INCLUDE})

add_library(asio INTERFACE)
find_path(ASIO_INCLUDE asio.hpp REQUIRED)
target_include_directories(asio SYSTEM INTERFACE ${ASIO_INCLUDE})
target_compile_definitions(asio INTERFACE ASIO_STANDALONE ASIO_SEPARATE_COMPILATION ASIO_NO_DEPRECATED)
target_link_libraries(asio INTERFACE Threads::Threads)

function(brainstorm_external name header)
  find_path(${name}_INCLUDE ${header} REQUIRED)
  add_library(${name} INTERFACE)
  target_include_directories(${name} SYSTEM INTERFACE ${${name}_INCLUDE})
  foreach(archive IN LISTS ARGN)
    find_library(${archive}_LIBRARY NAMES lib${archive}.a ${archive} REQUIRED)
    target_link_libraries(${name} INTERFACE ${${archive}_LIBRARY})
  endforeach()
endfunction()

brainstorm_external(yaml yaml-cpp/yaml.h yaml-cpp)
brainstorm_external(words libstemmer.h stemmer unistring)
brainstorm_external(cli11 CLI/CLI.hpp)
brainstorm_external(doctest doctest/doctest.h)
