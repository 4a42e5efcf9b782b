# The programs of source_map_test: each source by each compiler, in the shapes that debug
# information comes in. Built by plain commands, so that the flags of this build (sanitizers,
# another compiler) do not reach them.
set(data ${CMAKE_CURRENT_SOURCE_DIR}/testdata)
set(out ${CMAKE_CURRENT_BINARY_DIR}/fixtures)
file(MAKE_DIRECTORY ${out})
set(fixtures)
set(fixture_files)

# source_fixture(gcc_O2 g++ gcc -O2 -gdwarf-5): ${out}/objects_gcc_O2 and ${out}/structs_gcc_O2.
function(source_fixture name cxx c)
  if(NOT ${cxx} OR NOT ${c})
    return()
  endif()
  set(objects ${out}/objects_${name})
  set(structs ${out}/structs_${name})
  set(library ${out}/libforks_${name}.so)
  # clang says that -no-pie is of no use to -c.
  set(flags -I${PROJECT_SOURCE_DIR}/src -Wno-unused-command-line-argument ${ARGN})
  list(TRANSFORM flags REPLACE "^-no-pie$" "-fPIC" OUTPUT_VARIABLE library_flags)
  add_custom_command(
    OUTPUT ${objects} ${structs} ${library}
    COMMAND ${${c}} ${flags} -c ${data}/probe.c -o ${out}/probe_${name}.o
    COMMAND ${${cxx}} ${flags} -std=c++17 ${data}/objects.cpp ${data}/elsewhere.cpp
            ${data}/meter.cpp ${out}/probe_${name}.o -rdynamic -pthread -o ${objects}
    COMMAND ${${c}} ${library_flags} -fPIC -shared ${data}/forks.c -o ${library}
    COMMAND ${${c}} ${flags} ${data}/structs.c ${out}/probe_${name}.o ${library} -rdynamic -pthread
            -Wl,-rpath,${out} -o ${structs}
    DEPENDS ${data}/probe.c ${data}/probe.h ${data}/objects.cpp ${data}/elsewhere.cpp
            ${data}/elsewhere.h ${data}/meter.cpp ${data}/forks.c ${data}/forks.h ${data}/structs.c
    COMMENT "Building fixtures of source_test: ${name}"
    VERBATIM)
  set(fixtures ${fixtures} objects_${name} structs_${name} PARENT_SCOPE)
  set(fixture_files ${fixture_files} ${objects} ${structs} PARENT_SCOPE)
endfunction()

find_program(MAZURKA_GXX g++ REQUIRED)
find_program(MAZURKA_GCC gcc REQUIRED)
find_program(MAZURKA_CLANGXX clang++)
find_program(MAZURKA_CLANG clang)
mark_as_advanced(MAZURKA_GXX MAZURKA_GCC MAZURKA_CLANGXX MAZURKA_CLANG)

source_fixture(gcc_O0 MAZURKA_GXX MAZURKA_GCC -O0 -gdwarf-5)
source_fixture(gcc_O2 MAZURKA_GXX MAZURKA_GCC -O2 -gdwarf-5)
source_fixture(gcc_O2_dwarf4_nopie MAZURKA_GXX MAZURKA_GCC -O2 -gdwarf-4 -fno-pie -no-pie)
source_fixture(gcc_split MAZURKA_GXX MAZURKA_GCC -O2 -gdwarf-5 -gsplit-dwarf)
source_fixture(gcc_types MAZURKA_GXX MAZURKA_GCC -O0 -gdwarf-5 -fdebug-types-section -gz)
source_fixture(clang_O0_dwarf4 MAZURKA_CLANGXX MAZURKA_CLANG -O0 -gdwarf-4)
source_fixture(clang_O2 MAZURKA_CLANGXX MAZURKA_CLANG -O2 -gdwarf-5)
source_fixture(clang_O2_nopie MAZURKA_CLANGXX MAZURKA_CLANG -O2 -gdwarf-5 -fno-pie -no-pie)
source_fixture(clang_types MAZURKA_CLANGXX MAZURKA_CLANG -O2 -gdwarf-4 -fdebug-types-section)

# Without debug information, without symbols, and with debug information in a file of its own.
set(shapes ${out}/without_debug ${out}/stripped ${out}/separate ${out}/separate.debug)
add_custom_command(
  OUTPUT ${shapes}
  COMMAND ${CMAKE_OBJCOPY} --strip-debug ${out}/objects_gcc_O0 ${out}/without_debug
  COMMAND ${CMAKE_OBJCOPY} --strip-all ${out}/structs_gcc_O0 ${out}/stripped
  COMMAND ${CMAKE_OBJCOPY} --only-keep-debug ${out}/objects_gcc_O2 ${out}/separate.debug
  COMMAND ${CMAKE_OBJCOPY} --strip-all --add-gnu-debuglink=${out}/separate.debug
          ${out}/objects_gcc_O2 ${out}/separate
  DEPENDS ${out}/objects_gcc_O0 ${out}/objects_gcc_O2 ${out}/structs_gcc_O0
  WORKING_DIRECTORY ${out}
  VERBATIM)
list(APPEND fixtures separate)

add_custom_target(source_fixtures DEPENDS ${fixture_files} ${shapes})
add_dependencies(source_test source_fixtures)
list(JOIN fixtures " " fixtures)
target_compile_definitions(source_test PRIVATE
  MAZURKA_FIXTURES="${fixtures}" MAZURKA_FIXTURE_DIR="${out}" MAZURKA_FIXTURE_SOURCES="${data}")
