#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# measure.sh JACKDAW: how long a megabyte of text takes from its arrival to its lines, for texts made to take long.
set -euo pipefail
. "$(dirname "$0")/../goals.sh"
cd "$here/../../.."

read -ra flags <<<"${RELEASE_FLAGS:--c release --static-swift-stdlib}"
swift build "${flags[@]}" --product TextBenchmark </dev/null >"$work/build" 2>&1 || { cat "$work/build" >&2; exit 1; }
.build/release/TextBenchmark </dev/null | tee "$work/figures"
judge "$work/figures" longest most 200 400 "milliseconds for the worst of the texts"
verdict
