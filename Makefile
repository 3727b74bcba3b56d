# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# `make help` lists what there is. Every target works with standard input closed; only `demo` reads it.

SHELL := /bin/bash
# Where dnsmasq and ejabberdctl are; Debian gives these folders to root alone.
export PATH := $(PATH):/usr/local/sbin:/usr/sbin:/sbin
.SHELLFLAGS := -euo pipefail -c

PREFIX ?= /usr/local
DESTDIR ?=

bindir := $(DESTDIR)$(PREFIX)/bin
mandir := $(DESTDIR)$(PREFIX)/share/man/man1
docdir := $(DESTDIR)$(PREFIX)/share/doc/jackdaw
bashdir := $(DESTDIR)$(PREFIX)/share/bash-completion/completions
zshdir := $(DESTDIR)$(PREFIX)/share/zsh/site-functions
fishdir := $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
unitdir := $(DESTDIR)$(PREFIX)/lib/systemd/user

# Debian 12's names of what it takes to build, to run the demo, and to test and measure.
BUILD_PACKAGES := libxml2-dev libssl-dev libreadline-dev libsqlite3-dev libidn2-dev libqrencode-dev libre2-dev libc6-dev \
  libstdc++-12-dev binutils gcc git ca-certificates libcurl4
# For the manual page.
PAGE_PACKAGES := python3
DEMO_PACKAGES := prosody openssl python3
TEST_PACKAGES := $(DEMO_PACKAGES) lua-dbi-sqlite3 prosody-modules ejabberd jabberd2 biboumi ngircd dnsmasq-base tmux groff-base jq \
  python3 python3-slixmpp gnupg mcabber poezio zbar-tools chromium-headless-shell zsh fish
BENCH_PACKAGES := $(DEMO_PACKAGES) prosody-modules hyperfine pkg-config libstrophe-dev profanity go-sendxmpp python3-slixmpp
FRESH_PACKAGES := debootstrap git ca-certificates

RELEASE := .build/release/jackdaw
# Addresses of functions are resolved at the start, and read-only from then on. The symbols are exported to nobody: without the
# last one 11,000 are, which makes the program 1 MB larger and its start half a millisecond longer.
LINKER_FLAGS := -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now -Xlinker --no-export-dynamic
# RE2 and the C++ library, which Swift's own needs, are taken into the program, as Swift's are: to load them takes the system's loader
# 1.5 ms of each start, a sixth of a `send` through an agent. An RE2 that is made with Abseil stays outside, and keeps the C++ library there.
STATIC := .build/static
STATIC_LIBRARIES := $(if $(wildcard /usr/include/absl),,libstdc++.a libre2.a)
STATIC_FLAGS := $(if $(STATIC_LIBRARIES),-Xswiftc -L$(STATIC) -Xlinker --as-needed -Xswiftc -Xclang-linker -Xswiftc -static-libgcc -Xlinker -lstdc++)
# Colours at a terminal are a flag of the compiler's: what is built there would be built anew behind a pipe, and the other way round.
NO_COLOURS := --no-color-diagnostics
# Libraries are looked for where the system has them, and not first beside the program.
BUILD_FLAGS := -c release $(NO_COLOURS) --static-swift-stdlib --disable-local-rpath $(LINKER_FLAGS) $(STATIC_FLAGS)
RELEASE_FLAGS := $(BUILD_FLAGS) -Xlinker -s --product jackdaw
# The tests, and the program with them: most of our modules are not optimised (Package.swift), as most of that is code of the tests, which
# is run once; what they spend a large part of their time in is, the parser of arguments among it. It is no build for debugging: in one of
# those that parser looks into what a command declares some fifty times for each line that it reads, and the compiler writes down for a
# debugger what nobody looks at, for a tenth of its own time.
TESTS := .build/tests
TESTS_BUILD := JACKDAW_STRICT=1 swift build --build-tests --scratch-path $(TESTS) -c release $(NO_COLOURS) -Xswiftc -enable-testing \
  -debug-info-format none
# Debian's, which has what the tests import. Another one that stands first in PATH (pyenv's) would hand its own PATH on to the
# tests, and they would start it where its libraries are not found.
PYTHON := /usr/bin/python3 -B
SWIFT_VERSION := 6.3

# SwiftPM locks its build directory and uses every processor itself.
.NOTPARALLEL:
.DEFAULT_GOAL := build

.PHONY: help
help: ## Shows this
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

.PHONY: build
build: build-deps ## Builds for debugging
	swift build </dev/null

.PHONY: release
release: build-deps ## Builds for use: optimised, the Swift libraries inside, checked to start here
	@mkdir -p $(STATIC)
	@for library in $(STATIC_LIBRARIES); do ln -sf "$$(gcc -print-file-name=$$library)" $(STATIC)/; done
	@# What it says is no part of what the demo prints.
	swift build $(RELEASE_FLAGS) </dev/null >&2
	@$(RELEASE) --version </dev/null >/dev/null || { echo "$(RELEASE) was built but does not run here" >&2; exit 1; }

.PHONY: demo
demo: demo-deps release ## Opens a prompt on a private server, with a friend who answers
	@Tests/Demo/demo.sh $(RELEASE)

# What is tested as a program is the one that people get. It starts six times as fast as the one for debugging.
.PHONY: test
test: test-deps ## Runs all tests, those against real servers too
	@JACKDAW_BUILD=release JACKDAW_BINARY=$(RELEASE) $(PYTHON) Tests/Run/parts.py </dev/null

.PHONY: test-debug
test-debug: test-deps ## Runs them on the program as it is built with them: nothing is optimised or built twice, but they take longer
	@$(PYTHON) Tests/Run/parts.py </dev/null

.PHONY: soak
soak: test-deps build ## Cuts connections, kills clients, restarts servers for long: is each message there once?
	@Tests/Soak/soak.sh .build/debug/jackdaw long </dev/null

.PHONY: fresh
fresh: fresh-deps ## Runs the demo and the tests on new Debian 12 trees, as root and as a user (TREES, COMMANDS, KEEP=1)
	@Tests/Fresh/fresh.sh </dev/null

.PHONY: check
check: check-format check-imports check-headers check-docs check-output check-style check-checks check-build ## Runs every check that is no test

.PHONY: check-format
check-format: build-deps ## Is the code as `make format` leaves it?
	swift format lint --strict -r Package.swift Sources Tests </dev/null
	@echo "format: right"

.PHONY: check-imports
check-imports: test-deps ## Does each module import, and each level of the session name, only what it may?
	@$(PYTHON) Tests/Checks/imports.py </dev/null
	@$(PYTHON) Tests/Checks/levels.py </dev/null

.PHONY: check-headers
check-headers: test-deps ## Does each file name its licence?
	@$(PYTHON) Tests/Checks/headers.py </dev/null

.PHONY: check-docs
check-docs: test-deps ## Is what other modules use documented, do links lead somewhere, is each promise's test there?
	@$(PYTHON) Tests/Checks/documentation.py </dev/null
	@$(PYTHON) Docs/security.py --check </dev/null

.PHONY: check-output
check-output: test-deps ## Does only the renderer write to the terminal?
	@$(PYTHON) Tests/Checks/output.py </dev/null

.PHONY: check-style
check-style: test-deps ## Are files short, well named, bounded, free of traps and of things left for later?
	@$(PYTHON) Tests/Checks/style.py </dev/null
	@$(PYTHON) Tests/Checks/bounds.py </dev/null

.PHONY: check-checks
check-checks: test-deps ## Does each check see what it is there for, and do the test runner and the soak see what fails?
	@$(PYTHON) Tests/Checks/selftest.py </dev/null
	@$(PYTHON) Tests/Run/selftest.py </dev/null
	@$(PYTHON) Tests/Soak/selftest.py </dev/null

.PHONY: check-build
check-build: build-deps ## Does it build without warnings? (Package.swift makes them errors)
	$(TESTS_BUILD) </dev/null

.PHONY: security
security: test-deps ## Writes the promises of Docs/SECURITY.md, where `make test` last showed that each holds
	@$(PYTHON) Docs/security.py .build/tests.log </dev/null

.PHONY: format
format: build-deps ## Formats the code
	swift format -i -r Package.swift Sources Tests </dev/null

.PHONY: bench
bench: bench-deps release ## Measures, with the peers it is measured against in the same run (all, or MEASUREMENTS="Send Login")
	@RELEASE_FLAGS='$(BUILD_FLAGS)' Tests/Performance/bench.sh $(RELEASE) $(MEASUREMENTS) </dev/null

.PHONY: bench-report
bench-report: bench-deps release ## Measures, and writes the report in Docs/performance
	@RELEASE_FLAGS='$(BUILD_FLAGS)' RECORD=.build/performance Tests/Performance/bench.sh $(RELEASE) $(MEASUREMENTS) </dev/null || true; \
	  $(PYTHON) Tests/Performance/report.py .build/performance Docs/performance $(RELEASE)

.PHONY: bench-check
bench-check: bench-deps release ## Measures what is a ratio, and fails where one is worse than the report by more than 15 %
	@RELEASE_FLAGS='$(BUILD_FLAGS)' Tests/Performance/check.py $(RELEASE) Docs/performance </dev/null

.PHONY: fuzz
fuzz: build-deps ## Feeds the parsers with noise, under the address sanitizer (SECONDS=60 for each of TARGETS, BUILD=release)
	@BUILD=$(or $(BUILD),release) Tests/Fuzz/fuzz.sh $(or $(SECONDS),60) $(TARGETS) </dev/null

.PHONY: test-asan
test-asan: test-deps ## Runs the modules' tests and conversations under the address sanitizer; their leaks too
	@Tests/Sanitizers/address.sh </dev/null

.PHONY: test-tsan
test-tsan: test-deps ## Runs the modules' tests and conversations under the thread sanitizer
	@Tests/Sanitizers/thread.sh </dev/null

.PHONY: install
install: page-deps release ## Installs to PREFIX (/usr/local), below DESTDIR if given
	install -d $(bindir) $(mandir) $(docdir)/Docs/Services $(bashdir) $(zshdir) $(fishdir) $(unitdir)
	install -m 755 $(RELEASE) $(bindir)/jackdaw
	$(RELEASE) --generate-completion-script=bash </dev/null >$(bashdir)/jackdaw
	$(RELEASE) --generate-completion-script=zsh </dev/null >$(zshdir)/_jackdaw
	$(RELEASE) --generate-completion-script=fish </dev/null >$(fishdir)/jackdaw.fish
	$(PYTHON) Docs/manual.py $(RELEASE) </dev/null | gzip -9n >$(mandir)/jackdaw.1.gz
	for unit in jackdaw@.service jackdaw@.socket; do \
	  sed 's|@bindir@|$(PREFIX)/bin|' Docs/Services/$$unit >$(unitdir)/$$unit; done
	install -m 644 LICENSE README.md $(docdir)
	install -m 644 Docs/*.md Docs/*.schema.json Docs/jackdaw.doap $(docdir)/Docs
	install -m 644 Docs/Services/watch.py $(docdir)/Docs/Services
	sed 's|@bindir@|$(PREFIX)/bin|' Docs/Services/jackdaw.openrc >$(docdir)/Docs/Services/jackdaw.openrc
	chmod 644 $(bashdir)/jackdaw $(zshdir)/_jackdaw $(fishdir)/jackdaw.fish $(mandir)/jackdaw.1.gz \
	  $(unitdir)/jackdaw@.service $(unitdir)/jackdaw@.socket $(docdir)/Docs/Services/jackdaw.openrc

.PHONY: uninstall
uninstall: ## Removes what `make install` with the same PREFIX and DESTDIR put there
	rm -f $(unitdir)/jackdaw@.service $(unitdir)/jackdaw@.socket
	rm -f $(bindir)/jackdaw $(mandir)/jackdaw.1.gz $(bashdir)/jackdaw $(zshdir)/_jackdaw $(fishdir)/jackdaw.fish
	rm -rf $(docdir)

.PHONY: clean
clean: ## Removes what was built
	rm -rf .build

.PHONY: install-deps
install-deps: swift-found ## Installs the Debian packages that building, testing and measuring need
	@.ci/install-packages $(BUILD_PACKAGES) $(TEST_PACKAGES) $(BENCH_PACKAGES)
	@.ci/check-swift $(SWIFT_VERSION)

# Swift itself runs only with some of the packages.
.PHONY: build-deps demo-deps test-deps bench-deps page-deps fresh-deps swift-found
build-deps: swift-found
	@.ci/install-packages $(BUILD_PACKAGES)
	@.ci/check-swift $(SWIFT_VERSION)
demo-deps: swift-found
	@.ci/install-packages $(BUILD_PACKAGES) $(DEMO_PACKAGES)
test-deps: swift-found
	@.ci/install-packages $(BUILD_PACKAGES) $(TEST_PACKAGES)
	@.ci/check-swift $(SWIFT_VERSION)
bench-deps: swift-found
	@.ci/install-packages $(BUILD_PACKAGES) $(BENCH_PACKAGES)
page-deps: swift-found
	@.ci/install-packages $(BUILD_PACKAGES) $(PAGE_PACKAGES)
fresh-deps: build-deps
	@.ci/install-packages $(FRESH_PACKAGES)
swift-found:
	@.ci/check-swift
