#!/bin/sh
# install_packages.sh [LIST]: installs the Debian packages of cmake/LIST that are missing; does nothing when none is.
# LIST is packages.txt, all that build, tests and benchmarks need, or demo_packages.txt, the part of it that `make demo` needs.
# Where it may not install, it prints the command that would, and exits with 2.
set -eu
list=${1:-packages.txt}

if ! command -v dpkg-query >/dev/null; then
  echo "not a Debian system: the build needs what cmake/$list lists" >&2
  exit 0
fi

missing=
while read -r package; do
  # For the fuzzers, which are left out without it. Its name has the release's version of clang.
  case $package in
    libclang-rt-14-dev) grep -qs '^VERSION_ID="12"' /etc/os-release || continue ;;
  esac
  state=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing="$missing $package"
done <"$(dirname "$0")/$list"
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
  as_root=
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
  as_root="sudo -n"
else
  echo "Some packages are missing. Please run:" >&2
  echo "  sudo apt-get install --no-install-recommends$missing" >&2
  exit 2
fi

export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update
$as_root apt-get install --yes --no-install-recommends $missing
