# mazurka_library(objects UNITY 12 SOURCES mutex.cc ... DEPS mazurka::base ... TESTS mutex_test.cc ...)
#
# The library of one folder of src/, as target mazurka_<name> with the alias mazurka::<name>. Without
# SOURCES it is an INTERFACE library (headers only). TESTS go into one GoogleTest binary and one
# ctest, <name>_test; TEST_DEPS are further libraries for it. Headers need not be listed.
#
# LONG_TESTS is as of mazurka_test. UNITY is how many sources are compiled as one where MAZURKA_UNITY is on: it halves the time of what includes much. The
# whole library must compile as one source, so names in unnamed namespaces differ from file to file.
function(mazurka_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "UNITY;LONG_TESTS" "SOURCES;DEPS;TESTS;TEST_DEPS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "mazurka_library(${name}): what is ${arg_UNPARSED_ARGUMENTS}?")
  endif()
  if(arg_SOURCES)
    add_library(mazurka_${name} STATIC ${arg_SOURCES})
    target_link_libraries(mazurka_${name} PUBLIC mazurka_flags ${arg_DEPS})
    if(arg_UNITY AND MAZURKA_UNITY)
      set_target_properties(mazurka_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${arg_UNITY})
    endif()
  else()
    add_library(mazurka_${name} INTERFACE)
    target_link_libraries(mazurka_${name} INTERFACE mazurka_flags ${arg_DEPS})
  endif()
  add_library(mazurka::${name} ALIAS mazurka_${name})

  # The runtime compiles some folders a second time, with its own flags.
  list(TRANSFORM arg_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  set_property(TARGET mazurka_${name} PROPERTY MAZURKA_SOURCES "${arg_SOURCES}")

  if(arg_TESTS)
    mazurka_test(${name}_test LONG_TESTS ${arg_LONG_TESTS} SOURCES ${arg_TESTS} DEPS mazurka::${name} ${arg_TEST_DEPS})
  endif()
endfunction()

# mazurka_test(name SOURCES a_test.cc ... DEPS mazurka::objects ...): one GoogleTest binary, one ctest. LONG_TESTS is a
# pattern of GoogleTest's: what it matches is a ctest of its own, <name>_long.
function(mazurka_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LONG_TESTS" "SOURCES;DEPS")
  if(NOT BUILD_TESTING)
    return()
  endif()
  add_executable(${name} ${arg_SOURCES})
  add_dependencies(unit_tests ${name})
  target_link_libraries(${name} PRIVATE mazurka_flags ${arg_DEPS}
    GTest::gtest GTest::gtest_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  set(timeout_s 300)
  if(MAZURKA_SANITIZE)  # it takes thirty times as long
    set(timeout_s 1800)
  endif()
  if(arg_LONG_TESTS)
    add_test(NAME ${name} COMMAND ${name} --gtest_brief=1 --gtest_filter=-${arg_LONG_TESTS})
    add_test(NAME ${name}_long COMMAND ${name} --gtest_brief=1 --gtest_filter=${arg_LONG_TESTS})
    set_tests_properties(${name}_long PROPERTIES TIMEOUT ${timeout_s})
  else()
    add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${timeout_s})
  mazurka_label_tests()
endfunction()

# Compiles a header once for all sources of the target, and includes it before each, where MAZURKA_UNITY is on. For many
# small sources that share most of what they include.
function(mazurka_precompile target header)
  if(MAZURKA_UNITY)
    target_precompile_headers(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${PROJECT_SOURCE_DIR}/src/${header}>)
  endif()
endfunction()
