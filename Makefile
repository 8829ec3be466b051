# Ecotone. `make help` lists the targets.

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
SHELL := /bin/bash

BUILD ?= build
PROFILE ?= release
OUT := $(BUILD)/$(PROFILE)
JOBS := $(shell nproc)

# --- what the machine needs --------------------------------------------------------------------
LIBRARIES := libmicrohttpd libpng sqlite3 libcyaml yaml-0.1 jansson libxxhash zlib
PACKAGES_RUN := gcc libc6-dev pkg-config libmicrohttpd-dev libpng-dev libsqlite3-dev libcyaml-dev \
	libyaml-dev libjansson-dev libxxhash-dev zlib1g-dev ca-certificates
PACKAGES_TEST := $(PACKAGES_RUN) git clang-14 libclang-rt-14-dev clang-format-14 clang-tidy-14 \
	cppcheck libcmocka-dev chromium valgrind sqlite3 curl
# Commands that may come from elsewhere than the Debian package of the same name.
COMMANDS_RUN := node:nodejs npm:npm

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
CFLAGS_asan := -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
CFLAGS_ubsan := -O1 -fsanitize=undefined -fno-sanitize-recover=all
CFLAGS_tsan := -O1 -fsanitize=thread
CFLAGS_fuzz := -O1 -fno-omit-frame-pointer \
	-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
ifeq ($(PROFILE),fuzz)
CC := clang-14
endif
CFLAGS := $(CFLAGS_COMMON) $(CFLAGS_$(PROFILE)) $(if $(WERROR),-Werror)
LDFLAGS := -pthread $(filter -fsanitize% -fno-sanitize%,$(CFLAGS_$(PROFILE)))
PKG_CFLAGS = $(shell pkg-config --cflags $(LIBRARIES))
PKG_LIBS = $(shell pkg-config --libs $(LIBRARIES)) -lm

LIB_SOURCES := $(wildcard $(foreach d,base noise lattice blend world,src/$(d)/*.c))
APP_SOURCES := $(filter-out src/cli/main.c,\
	$(wildcard $(foreach d,raster codec store serve http cli,src/$(d)/*.c)))
LIB_OBJECTS := $(LIB_SOURCES:%.c=$(OUT)/%.o)
APP_OBJECTS := $(APP_SOURCES:%.c=$(OUT)/%.o) $(OUT)/assets.o
UNIT_TESTS := $(patsubst tests/unit/%.c,$(OUT)/tests/%,$(wildcard tests/unit/test_*.c))
FUZZERS := $(patsubst tests/fuzz/%.c,$(OUT)/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))

all: $(OUT)/ecotone

$(OUT)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(PKG_CFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

# --- the page, embedded -------------------------------------------------------------------------
PAGE_FILES := $(wildcard web/*.html web/*.css web/*.svg web/js/*.js)
# npm writes this file last of all; it says what is installed.
NODE_MODULES := web/node_modules/.package-lock.json

$(NODE_MODULES): web/package.json web/package-lock.json
	npm ci --prefix web --no-audit --no-fund
	@touch $@

$(OUT)/assets.c: web/embed.mjs $(PAGE_FILES) $(NODE_MODULES) $(wildcard config/ecotone.yaml)
	@mkdir -p $(@D)
	node web/embed.mjs $@

$(OUT)/assets.o: $(OUT)/assets.c
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

# --- programs ------------------------------------------------------------------------------------
$(OUT)/libecotone.a: $(LIB_OBJECTS)
	@rm -f $@
	ar rcs $@ $^

$(OUT)/libecotone-app.a: $(APP_OBJECTS)
	@rm -f $@
	ar rcs $@ $^

$(OUT)/ecotone: $(OUT)/src/cli/main.o $(OUT)/libecotone-app.a $(OUT)/libecotone.a
	$(CC) $(LDFLAGS) $^ $(PKG_LIBS) -o $@

$(OUT)/tests/%: tests/unit/%.c $(OUT)/libecotone-app.a $(OUT)/libecotone.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(PKG_CFLAGS) $(CFLAGS) -UNDEBUG -MMD -MP $< $(OUT)/libecotone-app.a \
		$(OUT)/libecotone.a $(LDFLAGS) $(PKG_LIBS) -lcmocka -o $@

$(OUT)/fuzz/%: tests/fuzz/%.c $(OUT)/libecotone-app.a $(OUT)/libecotone.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(PKG_CFLAGS) $(CFLAGS) -fsanitize=fuzzer -MMD -MP $< \
		$(OUT)/libecotone-app.a $(OUT)/libecotone.a $(LDFLAGS) $(PKG_LIBS) -o $@

-include $(shell find $(OUT) -name '*.d' 2>/dev/null)

unit: $(UNIT_TESTS)
	@set -e; for t in $(UNIT_TESTS); do echo "== $$t"; timeout 300 $$t; done

clean:
	rm -rf $(BUILD)

.PHONY: all unit clean
