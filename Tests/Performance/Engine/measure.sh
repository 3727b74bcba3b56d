#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# measure.sh JACKDAW: the cost of a request beside many others, and of posting an event.
set -euo pipefail
. "$(dirname "$0")/../goals.sh"
cd "$here/../../.."

read -ra flags <<<"${RELEASE_FLAGS:--c release --static-swift-stdlib}"
swift build "${flags[@]}" --product EngineBenchmark </dev/null >"$work/build" 2>&1 || { cat "$work/build" >&2; exit 1; }
.build/release/EngineBenchmark </dev/null | tee "$work/figures"
judge "$work/figures" tracker_100000_vs_10 most 2 3 "one request among 100,000, in units of one among 10"
judge "$work/figures" event_allocations most 0 0.01 "allocations for an event posted to one subscriber"
verdict
