# A Debian package: `cpack -G DEB` in the build folder, or the target `package`.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME mazurka)
set(CPACK_PACKAGE_VENDOR "The Mazurka authors")
set(CPACK_PACKAGE_CONTACT "The Mazurka authors <mazurka@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "stateless model checker for concurrent C and C++ programs")
set(CPACK_PACKAGE_DESCRIPTION
  "Runs a program again and again, once for each behaviour that differs in more than the order of independent steps, and \
reports deadlocks, failed assertions, crashes and more with schedules that replay them.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gdb, cmake, pkg-config")
include(CPack)
