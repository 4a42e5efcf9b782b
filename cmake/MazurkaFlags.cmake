# Compiler flags and the include root, as targets. mazurka_warnings is for everything we compile;
# mazurka_flags adds what only the tool may have: the runtime lives in a stranger's process and must
# not drag a sanitizer into it.
add_library(mazurka_warnings INTERFACE)
target_compile_options(mazurka_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:C,CXX>:-Wall;-Wextra;-Wshadow;-Wconversion>
  # Clang counts it into -Wconversion, gcc does not for C++; the same code should pass both.
  $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-sign-conversion>
  $<$<AND:$<COMPILE_LANGUAGE:C,CXX>,$<BOOL:${MAZURKA_WERROR}>>:-Werror>)
target_include_directories(mazurka_warnings INTERFACE
  ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)

if(MAZURKA_MUTATION)
  target_compile_definitions(mazurka_warnings INTERFACE MAZURKA_MUTATION)
endif()

add_library(mazurka_flags INTERFACE)
target_link_libraries(mazurka_flags INTERFACE mazurka_warnings)
if(MAZURKA_SANITIZE)
  target_compile_options(mazurka_flags INTERFACE -fsanitize=${MAZURKA_SANITIZE} -fno-omit-frame-pointer)
  # With these, gcc 12 takes no comparison of a function with nullptr for constant, and the tables of kinds and operations
  # do not compile. What uses a null pointer crashes, too, and the address sanitizer tells where.
  target_compile_options(mazurka_flags INTERFACE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-sanitize=null,nonnull-attribute,returns-nonnull-attribute>)
  target_link_options(mazurka_flags INTERFACE -fsanitize=${MAZURKA_SANITIZE})
endif()
