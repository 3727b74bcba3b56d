#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# thread.sh: builds everything with the thread sanitizer, in a build directory of its own, and runs the modules' tests and
# conversations with the real servers. A race ends the process that it is found in with a status of its own.
set -euo pipefail
exec </dev/null
cd "$(dirname "$0")/../.."

build=.build/thread
tests=("$build/debug/jackdawPackageTests.xctest" --testing-library swift-testing --no-parallel)

swift build --build-tests --sanitize=thread --scratch-path "$build" >&2

export TSAN_OPTIONS=suppressions=$PWD/Tests/Sanitizers/races.txt
failed=()
"${tests[@]}" --skip '^(ProgramTests|IntegrationTests)\.' --skip '^JackdawTerminalTests\.CompleterTests' || failed+=(modules)
"${tests[@]}" --filter '^ProgramTests\.FirstConversation' || failed+=(conversations)
if [ ${#failed[@]} -gt 0 ]; then
  echo "failed under the thread sanitizer: ${failed[*]}" >&2
  exit 1
fi
