# Compiler flags as targets. mazurka_warnings (and the include root) is for everything we compile; mazurka_flags adds what only the tool
# may have: the runtime lives in a stranger's process and must not drag a sanitizer's runtime into it.
add_library(mazurka_warnings INTERFACE)
target_compile_options(mazurka_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:C,CXX>:-Wall;-Wextra;-Wshadow;-Wconversion>
  $<$<AND:$<COMPILE_LANGUAGE:C,CXX>,$<BOOL:${MAZURKA_WERROR}>>:-Werror>)
target_include_directories(mazurka_warnings INTERFACE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)

add_library(mazurka_flags INTERFACE)
target_link_libraries(mazurka_flags INTERFACE mazurka_warnings)
if(MAZURKA_SANITIZE)
  target_compile_options(mazurka_flags INTERFACE -fsanitize=${MAZURKA_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(mazurka_flags INTERFACE -fsanitize=${MAZURKA_SANITIZE})
endif()
