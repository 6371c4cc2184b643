# brainstorm_library(folder LIBS other/folder… external…): one static library of a folder's sources.
# brainstorm_data(folder): a folder's *.json files, embedded as string views (see embed.cmake).
# brainstorm_test(folder LIBS …): one doctest program of a folder's sources below tests/.

set(BRAINSTORM_TARGETS "" CACHE INTERNAL "")

function(brainstorm_target_names out)
  set(names "")
  foreach(name IN LISTS ARGN)
    string(REPLACE "/" "_" name "${name}")
    if(EXISTS ${CMAKE_SOURCE_DIR}/${name} OR name MATCHES "^(commands|server|protocol)")
      list(APPEND names bs_${name})
    else()
      list(APPEND names ${name})
    endif()
  endforeach()
  set(${out} ${names} PARENT_SCOPE)
endfunction()

function(brainstorm_library folder)
  cmake_parse_arguments(arg "" "" "LIBS" ${ARGN})
  brainstorm_target_names(target ${folder})
  brainstorm_target_names(libs ${arg_LIBS})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  if(sources)
    add_library(${target} STATIC ${sources})
    target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR})
    target_link_libraries(${target} PUBLIC ${libs})
    brainstorm_flags(${target})
    set(BRAINSTORM_TARGETS ${BRAINSTORM_TARGETS} ${target} CACHE INTERNAL "")
  else()
    # Nothing to need its libraries; linking them would tie the executable's link group into a knot.
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE ${CMAKE_SOURCE_DIR})
  endif()
endfunction()

function(brainstorm_data folder)
  brainstorm_target_names(target ${folder})
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.json)
  set(generated ${CMAKE_BINARY_DIR}/generated/${folder}/data.cpp)
  add_custom_command(
    OUTPUT ${generated}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${generated} "-DFILES=${files}" -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${files} ${CMAKE_SOURCE_DIR}/cmake/embed.cmake VERBATIM)
  add_library(${target} STATIC ${generated})
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR})
  brainstorm_flags(${target})
  set(BRAINSTORM_TARGETS ${BRAINSTORM_TARGETS} ${target} CACHE INTERNAL "")
endfunction()

function(brainstorm_test folder)
  cmake_parse_arguments(arg "" "" "LIBS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/${folder}/*.cpp)
  if(NOT sources)
    return()
  endif()
  string(REPLACE "/" "_" name "${folder}")
  brainstorm_target_names(libs ${arg_LIBS})
  add_executable(test_${name} ${sources} $<TARGET_OBJECTS:test_main>)
  target_link_libraries(test_${name} PRIVATE ${libs} doctest)
  target_include_directories(test_${name} PRIVATE ${CMAKE_SOURCE_DIR})
  brainstorm_flags(test_${name})
  add_test(NAME ${folder} COMMAND test_${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${folder} PROPERTIES TIMEOUT 300
    ENVIRONMENT "BRAINSTORM_LS=$<TARGET_FILE:brainstorm-ls>")
endfunction()
