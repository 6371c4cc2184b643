# Warnings, sanitizers and what each compiler needs for C++20 coroutines.

function(brainstorm_flags target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
  if(BRAINSTORM_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # False positives on coroutine frames.
    target_compile_options(${target} PRIVATE -Wno-mismatched-new-delete)
  endif()
endfunction()

if(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 15)
  # libstdc++ and asio hide coroutines from clang 14 unless told that it has them.
  add_compile_definitions(__cpp_impl_coroutine=201902L ASIO_HAS_CO_AWAIT=1)
  add_compile_options(-Wno-builtin-macro-redefined)
endif()

if(BRAINSTORM_SANITIZE)
  add_compile_options(-fsanitize=${BRAINSTORM_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${BRAINSTORM_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    add_compile_options(-fno-sanitize=function)
  endif()
endif()

if(CMAKE_BUILD_TYPE STREQUAL "Release")
  add_compile_options(-ffunction-sections -fdata-sections)
  add_link_options(-Wl,--gc-sections -Wl,--as-needed -static-libstdc++ -static-libgcc)
endif()
