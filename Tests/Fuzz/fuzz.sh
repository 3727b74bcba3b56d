#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# fuzz.sh SECONDS [TARGET…]: feeds each fuzz target, or those named, with noise for so long, two at a time, under the address
# sanitizer, and fails when one of them crashes, breaks one of its properties, takes 5 seconds for one input (a minute if it is built
# for debugging) or more than 2 GB of memory. What was found interesting is kept in .build/fuzz/corpus and built upon; an input that fails is left in
# .build/fuzz/failures, and its path printed.
#
# Environment: BUILD=release   the optimised build, which takes minutes to make and tries many more inputs a second than BUILD=debug.
set -euo pipefail
exec </dev/null
cd "$(dirname "$0")/../.."

export SECONDS_EACH=$1
shift
build=${BUILD:-release}
case $build in
  release) export SLOWEST=5 ;;
  debug) export SLOWEST=60 ;;
  *) echo "There is no build '$build': release or debug" >&2; exit 64 ;;
esac
work=$PWD/.build/fuzz
export work program=$work/$build/Fuzz
# A trap is libFuzzer's to report, with its input; Swift's own handler would come before it.
export SWIFT_BACKTRACE=enable=no LSAN_OPTIONS=suppressions=$PWD/Tests/Sanitizers/leaks.txt:print_suppressions=0

JACKDAW_FUZZ=1 swift build -c "$build" --disable-index-store --scratch-path "$work" --product Fuzz --sanitize fuzzer --sanitize address \
  -Xswiftc -enable-testing >&2

if [ $# -eq 0 ]; then mapfile -t targets < <(ls Tests/Fuzz/Corpus); else targets=("$@"); fi
mkdir -p "$work/failures" "$work/output"

# feed TARGET: prints what libFuzzer says in one piece, and is as successful as it was.
feed() {
  local target=$1 status=0
  mkdir -p "$work/corpus/$target"
  JACKDAW_FUZZ_TARGET=$target "$program" -max_total_time="$SECONDS_EACH" -max_len=4096 -timeout="$SLOWEST" -rss_limit_mb=2048 \
    -artifact_prefix="$work/failures/$target-" -print_final_stats=1 -verbosity=0 \
    "$work/corpus/$target" "Tests/Fuzz/Corpus/$target" >"$work/output/$target" 2>&1 || status=$?
  printf '== %s, %s s\n%s\n' "$target" "$SECONDS_EACH" "$(<"$work/output/$target")"
  [ "$status" = 0 ] || echo "failed: $target; its input is in $work/failures" >&2
  return "$status"
}
export -f feed

printf '%s\n' "${targets[@]}" | xargs -P 2 -I '{}' bash -c 'feed "$1"' feed '{}'
