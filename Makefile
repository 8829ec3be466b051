# Ecotone. `make help` lists the targets.

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:
SHELL := /bin/bash

BUILD ?= build
PROFILE ?= release
OUT := $(BUILD)/$(PROFILE)
JOBS ?= $(shell nproc)
# `make V=1` shows the commands.
Q := $(if $(V),,@)
PREFIX ?= /usr/local
SYSCONFDIR ?= $(PREFIX)/etc
VERSION = $(shell sed -n 's/^.define ECO_VERSION "\(.*\)"/\1/p' include/ecotone/ecotone.h)

# --- what the machine needs --------------------------------------------------------------------
# COMMAND:PACKAGE where the command may just as well come from elsewhere.
LIBRARIES := libmicrohttpd libpng libwebp libdeflate sqlite3 yaml-0.1 jansson libxxhash zlib \
	libseccomp
PACKAGES_RUN := gcc:gcc pkg-config:pkg-config node:nodejs npm:npm ca-certificates libc6-dev \
	libmicrohttpd-dev libpng-dev libwebp-dev libdeflate-dev libsqlite3-dev libyaml-dev \
	libjansson-dev libxxhash-dev zlib1g-dev libseccomp-dev
PACKAGES_TEST := $(PACKAGES_RUN) clang-14:clang-14 clang-format-14:clang-format-14 \
	clang-tidy-14:clang-tidy-14 cppcheck:cppcheck chromium:chromium sqlite3:sqlite3 curl:curl \
	gdallocationinfo:gdal-bin xmllint:libxml2-utils libclang-rt-14-dev libcmocka-dev \
	fonts-dejavu-core python3-owslib
PACKAGES_BENCH := $(PACKAGES_TEST) wrk:wrk nginx:nginx-light valgrind:valgrind

# --- compiling ---------------------------------------------------------------------------------
CC := gcc
CPPFLAGS := -D_GNU_SOURCE -Iinclude -Isrc -I$(OUT)
WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wundef \
	-Wformat=2 -Wpointer-arith -Wcast-align -Wwrite-strings
# No contraction and no fast-math: every path must give the same bits.
CFLAGS_COMMON := -std=c11 -g -pthread -ffp-contract=off -fno-math-errno -fno-trapping-math \
	-fstack-protector-strong $(WARNINGS)
CFLAGS_release := -O3 -DNDEBUG
CFLAGS_debug := -O0
CFLAGS_asan := -O2 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
CFLAGS_ubsan := -O1 -fsanitize=undefined -fno-sanitize-recover=all
CFLAGS_tsan := -O2 -fsanitize=thread
CFLAGS_fuzz := -O1 -fno-omit-frame-pointer \
	-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
ifeq ($(PROFILE),fuzz)
CC := clang-14
endif
CFLAGS := $(CFLAGS_COMMON) $(CFLAGS_$(PROFILE))
LDFLAGS := -pthread $(filter -fsanitize% -fno-sanitize%,$(CFLAGS_$(PROFILE)))
# Asked once, and only when something is compiled: the packages may not be there before.
PKG_CFLAGS = $(eval PKG_CFLAGS := $(shell pkg-config --cflags $(LIBRARIES)))$(PKG_CFLAGS)
PKG_LIBS = $(eval PKG_LIBS := $(shell pkg-config --libs $(LIBRARIES)) -lm)$(PKG_LIBS)
COMPILE = $(CC) $(CPPFLAGS) $(PKG_CFLAGS) $(CFLAGS) $(if $(WERROR),-Werror) -MMD -MP

# Not detect_stack_use_after_return: its frames do not keep the alignment of 64-byte vectors.
export ASAN_OPTIONS ?= strict_string_checks=1
export UBSAN_OPTIONS ?= print_stacktrace=1
export TSAN_OPTIONS ?= halt_on_error=1:second_deadlock_stack=1

LIB_SOURCES := $(wildcard $(foreach d,base noise lattice blend world world/overworld world/relief,src/$(d)/*.c))
APP_SOURCES := $(filter-out src/cli/main.c,\
	$(wildcard $(foreach d,raster codec store serve http cli,src/$(d)/*.c)))
LIB_OBJECTS := $(LIB_SOURCES:%.c=$(OUT)/%.o)
APP_OBJECTS := $(APP_SOURCES:%.c=$(OUT)/%.o) $(OUT)/assets.o
ARCHIVES := $(OUT)/libecotone-app.a $(OUT)/libecotone.a
HEADERS := $(wildcard include/ecotone/*.h src/*/*.h src/*/*/*.h tests/*/*.h)

all: $(OUT)/ecotone ## The program: build/release/ecotone

debug asan ubsan tsan: ## The program and its unit tests with other compiler flags, under build/
	@$(MAKE) --no-print-directory -j$(JOBS) PROFILE=$@ all unit

# A change of the flags compiles anew; -Werror changes no byte.
$(OUT)/flags: always
	@mkdir -p $(@D)
	@echo '$(CC) $(CPPFLAGS) $(CFLAGS)' | cmp -s - $@ || echo '$(CC) $(CPPFLAGS) $(CFLAGS)' >$@

$(OUT)/%.o: %.c $(OUT)/flags
	@mkdir -p $(@D)
	@echo "CC $@"
	$Q$(COMPILE) -c $< -o $@

# gcc 12 does not align the frames of 64-byte vectors that it keeps for use after return (its bug 110027).
ifeq ($(PROFILE),asan)
$(patsubst %.c,$(OUT)/%.o,$(wildcard src/*/*avx512.c)): private CFLAGS += --param=asan-use-after-return=0
endif

# --- the page, embedded -------------------------------------------------------------------------
PAGE_FILES := $(wildcard web/*.html web/css/*.css web/*.svg web/js/*.js web/lang/*.json)
# npm writes this file last of all; it says what is installed.
NODE_MODULES := web/node_modules/.package-lock.json

$(NODE_MODULES): web/package.json web/package-lock.json
	npm ci --prefix web --no-audit --no-fund
	@touch $@
node-modules: $(NODE_MODULES)

$(OUT)/assets.c: web/embed.mjs $(PAGE_FILES) $(NODE_MODULES) config/ecotone.yaml
	@mkdir -p $(@D)
	node web/embed.mjs $@

$(OUT)/assets.o: $(OUT)/assets.c $(OUT)/flags
	@echo "CC $@"
	$Q$(COMPILE) -c $< -o $@

# --- programs -----------------------------------------------------------------------------------
$(OUT)/libecotone.a: $(LIB_OBJECTS)
	@echo "AR $@"
	@rm -f $@
	$Qar rcs $@ $^

$(OUT)/libecotone-app.a: $(APP_OBJECTS)
	@echo "AR $@"
	@rm -f $@
	$Qar rcs $@ $^

$(OUT)/ecotone: $(OUT)/src/cli/main.o $(ARCHIVES)
	@echo "LD $@"
	$Q$(CC) $(LDFLAGS) $^ $(PKG_LIBS) -o $@

-include $(shell find $(OUT) -name '*.d' 2>/dev/null)

# --- the two commands ---------------------------------------------------------------------------
run: packages-run ## Install what is missing, build, and serve config/ecotone.yaml
	@$(MAKE) --no-print-directory -j$(JOBS) all
	@exec $(OUT)/ecotone serve config/ecotone.yaml

check: packages-test ## Install what is missing, then every check and test; ends with the counts
	@BUILD=$(BUILD) JOBS=$(JOBS) tests/check.sh

packages-run:
	@.ci/packages $(PACKAGES_RUN)
packages-test:
	@.ci/packages $(PACKAGES_TEST)
packages-bench:
	@.ci/packages $(PACKAGES_BENCH)

# --- tests --------------------------------------------------------------------------------------
UNIT_SOURCES := $(wildcard tests/unit/test_*.c)
UNIT_TESTS := $(UNIT_SOURCES:tests/unit/%.c=$(OUT)/tests/%)
tests_that = $(patsubst tests/unit/%.c,$(OUT)/tests/%,$(shell grep -lE $(1) $(UNIT_SOURCES) /dev/null))
HTTP_TESTS := $(wildcard tests/http/*.test.mjs)
BROWSER_TESTS := $(wildcard tests/browser/*.test.mjs)
# Sanitizers want the address space where they expect it; containers may not allow to ask for that.
PLAIN_ADDRESSES := $(shell setarch -R true 2>/dev/null && echo setarch -R)

# Asserts of the test programs stay on in every profile.
$(OUT)/tests/unit/%.o: private CFLAGS += -UNDEBUG
$(OUT)/tests/test_%: $(OUT)/tests/unit/test_%.o $(ARCHIVES)
	@mkdir -p $(@D)
	@echo "LD $@"
	$Q$(CC) $^ $(LDFLAGS) $(PKG_LIBS) -lcmocka -o $@

run_each = @JOBS=$(JOBS) $(PLAIN_ADDRESSES) tests/each.sh $(1)

test-programs: all $(UNIT_TESTS) # built, not run
unit: $(UNIT_TESTS) example ## The unit tests
	$(call run_each,$(UNIT_TESTS))
# As a stranger compiles it: the public headers and the library, nothing else.
$(OUT)/tests/embed: tests/example/embed.c $(OUT)/libecotone.a $(wildcard include/ecotone/*.h)
	@mkdir -p $(@D)
	@echo "CC $@"
	$Q$(CC) -std=c11 $(WARNINGS) $(if $(WERROR),-Werror) $(CFLAGS_$(PROFILE)) -Iinclude $< \
		$(OUT)/libecotone.a $(LDFLAGS) -lm -o $@
example: $(OUT)/tests/embed ## The program of tests/example, against what it should print
	$(PLAIN_ADDRESSES) $< | diff tests/example/embed.expected -
golden: $(call tests_that,golden) ## Those that compare with golden values
	$(call run_each,$^)
threads: $(sort $(filter %_threads,$(UNIT_TESTS)) $(call tests_that,'pthread|"(store|http)/|serve/[^p]')) ## Those of threads; for PROFILE=tsan
	$(call run_each,$^)
# Node 18 may not know the option.
TWO_AT_A_TIME = $(shell node --help | sed -n 's/.*\(--test-concurrency\).*/\1=2/p')
http: $(OUT)/ecotone $(NODE_MODULES) ## The daemon, asked over HTTP
	ECOTONE=$(abspath $(OUT)/ecotone) $(PLAIN_ADDRESSES) node --test $(TWO_AT_A_TIME) \
		$(or $(HTTP_TESTS),none)
browser: $(OUT)/ecotone $(NODE_MODULES) ## The page, in Chromium
	ECOTONE=$(abspath $(OUT)/ecotone) node --test $(TWO_AT_A_TIME) $(or $(BROWSER_TESTS),none)
screens: $(OUT)/ecotone $(NODE_MODULES) ## Pictures of the page into build/screenshots, a few into web/pictures
	ECOTONE=$(abspath $(OUT)/ecotone) node tests/browser/screens.mjs

# --- fuzzing ------------------------------------------------------------------------------------
FUZZERS := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_SECONDS ?= 600

$(OUT)/fuzz/fuzz_%: $(OUT)/tests/fuzz/fuzz_%.o $(ARCHIVES)
	@mkdir -p $(@D)
	@echo "LD $@"
	$Q$(CC) -fsanitize=fuzzer $^ $(LDFLAGS) $(PKG_LIBS) -o $@

fuzz: ## Fuzz each target for FUZZ_SECONDS, after its corpus and old crashers
	@$(MAKE) --no-print-directory PROFILE=fuzz $(FUZZERS:%=fuzz-%)
fuzz-programs: $(FUZZERS:%=$(OUT)/fuzz/fuzz_%)
fuzz-%: $(OUT)/fuzz/fuzz_%
	@mkdir -p $(BUILD)/corpus/$* $(BUILD)/crashes
	$(PLAIN_ADDRESSES) $< -max_total_time=$(FUZZ_SECONDS) -rss_limit_mb=1024 -timeout=10 \
		-print_final_stats=1 -verbosity=0 -artifact_prefix=$(BUILD)/crashes/$*- \
		$(BUILD)/corpus/$* $(wildcard tests/fuzz/corpus/$* tests/fuzz/regressions/$*)

# --- lint ---------------------------------------------------------------------------------------
C_FILES := $(wildcard include/ecotone/*.h src/*/*.[ch] src/*/*/*.[ch] tests/*/*.[ch])
TIDY_FILES := $(filter src/%.c tests/%.c,$(C_FILES))

lint: format tidy cppcheck check-includes ## clang-format, clang-tidy, cppcheck and check-includes
format:
	clang-format-14 --dry-run -Werror $(C_FILES)
tidy: $(TIDY_FILES:%=$(BUILD)/tidy/%)
$(BUILD)/tidy/%: % .clang-tidy $(HEADERS)
	@mkdir -p $(@D)
	@echo "TIDY $<"
	$Qclang-tidy-14 --quiet $< -- $(CPPFLAGS) $(PKG_CFLAGS) -std=c11 -UNDEBUG
	@touch $@
cppcheck:
	cppcheck --quiet -j$(JOBS) --std=c11 --enable=warning,performance,portability --inline-suppr \
		--library=config/cppcheck.cfg --suppressions-list=config/cppcheck.txt --error-exitcode=1 \
		-D_GNU_SOURCE -Iinclude -Isrc src
check-includes: ## A folder includes only folders above it
	tests/includes.sh
	tests/includes_test.sh

# --- measuring and shipping ---------------------------------------------------------------------
bench: packages-bench ## Times of blending, tiles and HTTP into build/bench/
	@$(MAKE) --no-print-directory -j$(JOBS) all
	@mkdir -p $(BUILD)/bench
	$(OUT)/ecotone bench blend --threads 1,2 --chunk 16,32 --json >$(BUILD)/bench/blend.json
	$(OUT)/ecotone bench quality --json >$(BUILD)/bench/quality.json
	$(OUT)/ecotone bench tiles --json >$(BUILD)/bench/tiles.json
	@$(MAKE) --no-print-directory bench-serve
bench-serve: packages-bench ## Hits beside nginx, and how load is stood: a table of what is asked and measured
	@$(MAKE) --no-print-directory -j$(JOBS) all
	@mkdir -p $(BUILD)/bench
	tests/bench/alone.sh tests/bench/serve.sh $(OUT)/ecotone $(BUILD)/bench
	@ECOTONE=$(abspath $(OUT)/ecotone) tests/bench/alone.sh node tests/bench/load.mjs $(BUILD)/bench
bench-instructions: packages-bench ## Instructions a coordinate, by SIMD level
	@$(MAKE) --no-print-directory -j$(JOBS) all
	tests/bench/instructions.sh $(OUT)/ecotone $(BUILD)/bench
soak: packages-bench ## Memory after 100,000 requests over 10,000 tiles
	@$(MAKE) --no-print-directory -j$(JOBS) all
	tests/fault/memory.sh $(OUT)/ecotone
# Some need root, to have a small disk; they are skipped without.
faults: packages-bench ## What kills tile servers, done to the daemon, at full length, as a table
	@$(MAKE) --no-print-directory -j$(JOBS) all
	ECOTONE=$(abspath $(OUT)/ecotone) node --test-reporter=tap --test-reporter-destination=/dev/null \
		tests/fault/faults.mjs
	TILES=50000 REQUESTS=1000000 tests/fault/memory.sh $(OUT)/ecotone
container-check: ## Build the container image, run it and ask it for a tile
	tests/container/image.sh
fresh-check: ## The two commands of the README on a bare Debian 12
	tests/container/fresh.sh

install: all ## Program, library, headers, configuration and systemd unit under PREFIX, DESTDIR
	install -D -m 755 $(OUT)/ecotone $(DESTDIR)$(PREFIX)/bin/ecotone
	install -D -m 644 $(OUT)/libecotone.a $(DESTDIR)$(PREFIX)/lib/libecotone.a
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/include/ecotone include/ecotone/*.h
	install -D -m 644 config/ecotone.yaml $(DESTDIR)$(SYSCONFDIR)/ecotone/ecotone.yaml
	install -d $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/lib/systemd/system
	sed -e 's|/usr/local/bin|$(PREFIX)/bin|' -e 's|/usr/local/etc|$(SYSCONFDIR)|' config/ecotone.service \
		>$(DESTDIR)$(PREFIX)/lib/systemd/system/ecotone.service
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' config/ecotone.pc.in \
		>$(DESTDIR)$(PREFIX)/lib/pkgconfig/ecotone.pc

check-install: all ## Build against an installed library, through pkg-config
	tests/install.sh $(BUILD)

clean: ## Remove build/
	rm -rf $(BUILD)

help: ## This list
	@sed -n 's/^\([a-z][a-z -]*\):.*## \(.*\)/\1\t\2/p' $(firstword $(MAKEFILE_LIST)) | \
		while IFS=$$'\t' read -r name text; do printf '%-26s %s\n' "$$name" "$$text"; done

.PHONY: always node-modules all debug asan ubsan tsan run check packages-run packages-test \
	packages-bench test-programs fuzz-programs unit example golden threads http browser screens fuzz \
	lint format tidy cppcheck check-includes \
	bench bench-serve bench-instructions soak faults container-check fresh-check install check-install clean help
