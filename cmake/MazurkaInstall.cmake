# bin/mazurka, lib/mazurka/libmazurka_rt.so, include/mazurka/, and find_package(mazurka) for the
# headers. The library folder is spelled out: the command looks for the runtime relative to itself.
include(CMakePackageConfigHelpers)

add_library(mazurka_headers INTERFACE)
add_library(mazurka::mazurka ALIAS mazurka_headers)
target_include_directories(mazurka_headers INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
set_target_properties(mazurka_headers PROPERTIES EXPORT_NAME mazurka)

install(TARGETS mazurka RUNTIME DESTINATION bin)
install(TARGETS mazurka_rt LIBRARY DESTINATION lib/mazurka)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/mazurka DESTINATION include OPTIONAL
  FILES_MATCHING PATTERN "*.h")

install(DIRECTORY ${PROJECT_BINARY_DIR}/help/man1 DESTINATION share/man)
install(FILES ${PROJECT_BINARY_DIR}/help/completions/mazurka DESTINATION share/bash-completion/completions)
install(FILES ${PROJECT_BINARY_DIR}/help/completions/_mazurka DESTINATION share/zsh/vendor-completions)

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/mazurka RENAME copyright)

install(TARGETS mazurka_headers EXPORT mazurka)
install(EXPORT mazurka NAMESPACE mazurka:: FILE mazurka-targets.cmake DESTINATION lib/cmake/mazurka)
set(MAZURKA_COMMAND bin/mazurka)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/mazurka-config.cmake.in
  ${PROJECT_BINARY_DIR}/mazurka-config.cmake
  INSTALL_DESTINATION lib/cmake/mazurka PATH_VARS MAZURKA_COMMAND)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/mazurka-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/mazurka-config.cmake ${PROJECT_BINARY_DIR}/mazurka-config-version.cmake
  DESTINATION lib/cmake/mazurka)
configure_file(${PROJECT_SOURCE_DIR}/cmake/mazurka.pc.in ${PROJECT_BINARY_DIR}/mazurka.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/mazurka.pc DESTINATION lib/pkgconfig)
