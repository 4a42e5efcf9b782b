# Short names for what the CMake presets do. Results are in build/release/bin/.

JOBS ?= $(shell nproc)
MAZURKA := build/release/bin/mazurka
DEMO := $(MAZURKA) check build/release/examples/philosophers_threads 3
SOURCES = $(shell git ls-files --cached --others --exclude-standard '*.h' '*.c' '*.cc' '*.cpp')

.PHONY: build demo check test asan bench clean format tidy

build:
	@cmake/install_packages.sh
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS)

# Builds only the command, the runtime and one example. The philosophers deadlock, and exit code 1 says that something
# was found.
demo:
	@cmake/install_packages.sh demo_packages.txt
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS) --target mazurka philosophers_threads
	@echo '$$ $(DEMO)'
	@$(DEMO); status=$$?; \
	if [ $$status -ne 1 ]; then echo "demo: expected exit code 1, got $$status" >&2; exit 1; fi

# For daily work: a selection that takes at most 90 seconds.
check: build
	@ctest --test-dir build/release --output-on-failure -j2 -L check

# All tests.
test: build
	@ctest --test-dir build/release --output-on-failure -j2

# Unit tests with address and undefined behaviour sanitizers.
asan:
	cmake --preset asan
	cmake --build --preset asan --parallel $(JOBS) --target unit_tests
	@ctest --preset asan -j2 -L unit -LE long

bench: build
	cmake --build --preset release --target bench

clean:
	rm -rf build

format:
	clang-format -i $(SOURCES)

# clang-tidy: with DEEP=1 by the static analyzer, too, which takes long.
tidy:
	@tests/tidy.py --configure=cmake --jobs=$(JOBS) $(if $(DEEP),--deep) build/tidy $(FOLDERS)
