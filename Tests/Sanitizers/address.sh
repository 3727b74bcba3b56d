#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# address.sh: builds everything with the address sanitizer, in a build directory of its own. The modules' tests look for wrong uses of
# memory; conversations with the real servers, each program of them to its end, for leaks too.
set -euo pipefail
exec </dev/null
cd "$(dirname "$0")/../.."

build=.build/address
tests=("$build/debug/jackdawPackageTests.xctest" --testing-library swift-testing --no-parallel)

swift build --build-tests --sanitize=address --scratch-path "$build" >&2

failed=()
# Without leaks: a test ends in the middle of a conversation, and what its suspended tasks hold is found from nowhere.
# Completion of ten thousand names takes minutes here.
ASAN_OPTIONS=detect_leaks=0 "${tests[@]}" --skip '^(ProgramTests|IntegrationTests)\.' --skip '^JackdawTerminalTests\.CompleterTests' ||
  failed+=(modules)
LSAN_OPTIONS=suppressions=$PWD/Tests/Sanitizers/leaks.txt:print_suppressions=0 \
  "${tests[@]}" --filter '^ProgramTests\.FirstConversation' || failed+=(conversations)
if [ ${#failed[@]} -gt 0 ]; then
  echo "failed under the address sanitizer: ${failed[*]}" >&2
  exit 1
fi
