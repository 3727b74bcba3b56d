#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# fuzz.sh SECONDS [TARGET…]: feeds each fuzz target, or those named, with noise for so long, under the address sanitizer, and
# fails when one of them crashes, breaks one of its properties, takes 5 seconds for one input or more than 2 GB of memory. What
# was found interesting is kept in .build/fuzz/corpus and built upon; an input that fails is left in .build/fuzz/failures, and
# its path printed.
set -euo pipefail
exec </dev/null
cd "$(dirname "$0")/../.."

seconds=$1
shift
work=$PWD/.build/fuzz
program=$work/release/Fuzz
# A trap is libFuzzer's to report, with its input; Swift's own handler would come before it.
export SWIFT_BACKTRACE=enable=no LSAN_OPTIONS=suppressions=$PWD/Tests/Sanitizers/leaks.txt:print_suppressions=0

JACKDAW_FUZZ=1 swift build -c release --scratch-path "$work" --product Fuzz --sanitize fuzzer --sanitize address \
  -Xswiftc -enable-testing >&2

if [ $# -eq 0 ]; then mapfile -t targets < <(ls Tests/Fuzz/Corpus); else targets=("$@"); fi
mkdir -p "$work/failures"
failed=()
for target in "${targets[@]}"; do
  mkdir -p "$work/corpus/$target"
  echo "== $target, $seconds s"
  JACKDAW_FUZZ_TARGET=$target "$program" -max_total_time="$seconds" -max_len=4096 -timeout=5 -rss_limit_mb=2048 \
    -artifact_prefix="$work/failures/$target-" -print_final_stats=1 -verbosity=0 \
    "$work/corpus/$target" "Tests/Fuzz/Corpus/$target" || failed+=("$target")
done
if [ ${#failed[@]} -gt 0 ]; then
  echo "failed: ${failed[*]}; the inputs are in $work/failures" >&2
  exit 1
fi
