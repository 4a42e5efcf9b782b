# Two tiers of tests. Those with the label "check" take at most 90 seconds together on two processors, and something of
# every folder is among them: `make check`, for daily work. Those with the label "long" are the rest; `make test` runs both.

# Test and about how many seconds it takes, on a machine that does nothing else. The longest begin first.
set(MAZURKA_LONG_TESTS
  sanitizers_test 200
  e2e_atomics 100
  tidy_test 90
  e2e_by_number 80
  reductions_random_test 65
  e2e_random_atomics 60
  e2e_works_with 60
  e2e_stop 53
  e2e_checkpoint 51
  random_search_test 45
  docs_test 37
  sim_browser 31
  e2e_random_programs 30
  kinds_test_long 21
  e2e_private_files 20
  e2e_popen_and_shell 20
  sim_questions 18
  e2e_hunting 18
  install_test 13
  e2e_random_channels 12
  tester_random_test 12
  e2e_leaves_nothing 11
  e2e_least_preemptions 11
  e2e_random_memory 9
  e2e_philosophers 9
  testing_models_test 9
  package_test 9
  e2e_robots 9
  e2e_misbehaving 8
  e2e_guarantees 8
  e2e_standard_streams_on_pipes 8
  e2e_granularity_calls 7
  e2e_golden 7
  e2e_past_libc 7
  e2e_file_listed 5
  e2e_random_transitions 5
  e2e_large_memory 5
  sim_bundle 5
  e2e_granularity_operations 5
  e2e_compilers 4
  e2e_granularity_blocks 4
  speed_bench_works 4
  e2e_progress 4
  e2e_pages_written_late 4
  e2e_files_many 3
  e2e_election 3
  e2e_races_docs 3
  e2e_annotations 3
  e2e_killed_workers 3
  e2e_prepared_before_first_choice 3
  e2e_no_growth 2
  e2e_alternating_bit 2
  e2e_strict_discipline 2
  e2e_pipe_end_of_stream 2
  e2e_posix_queue_processes 2
  e2e_udp_two_senders 2
  e2e_html 2)

# Each builds its program first; these few stand for all of them in the tier "check".
set(MAZURKA_SHORT_MEMORY_TESTS lost_update message_passing neighbours use_after_free)
list(TRANSFORM MAZURKA_SHORT_MEMORY_TESTS PREPEND e2e_memory_)
set(MAZURKA_SHORT_REPORT_TESTS accounts nested_members race_on_heap signal_too_early thread_pool uncaught)
list(TRANSFORM MAZURKA_SHORT_REPORT_TESTS PREPEND e2e_report_)

# Builds all GoogleTest binaries, and nothing else.
add_custom_target(unit_tests)

# Gives each test of the current folder its labels and its cost. Those of a GoogleTest binary have the label "unit", too:
# they need no program under test, so they are what the sanitizers watch.
function(mazurka_label_tests)
  get_property(tests DIRECTORY PROPERTY TESTS)
  foreach(test IN LISTS tests)
    set(unit "")
    if(NOT test MATCHES "^e2e_" AND (TARGET ${test} OR test MATCHES "_few$"))
      set(unit ";unit")
    endif()
    list(FIND MAZURKA_LONG_TESTS ${test} index)
    if(NOT index EQUAL -1)
      math(EXPR index "${index} + 1")
      list(GET MAZURKA_LONG_TESTS ${index} seconds)
      set_tests_properties(${test} PROPERTIES LABELS "long${unit}" COST ${seconds})
    elseif(test MATCHES "^e2e_memory_(bad|overrun|write|all)" OR test IN_LIST MAZURKA_SHORT_MEMORY_TESTS
        OR test IN_LIST MAZURKA_SHORT_REPORT_TESTS OR NOT test MATCHES "^e2e_(memory|report)_")
      set_tests_properties(${test} PROPERTIES LABELS "check${unit}")
    else()
      set_tests_properties(${test} PROPERTIES LABELS "long${unit}" COST 2)
    endif()
  endforeach()
endfunction()
