#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# measure.sh JACKDAW: the decoder beside libxml2 with callbacks that do nothing, in one process.
set -euo pipefail
. "$(dirname "$0")/../goals.sh"
cd "$here/../../.."

read -ra flags <<<"${RELEASE_FLAGS:--c release --static-swift-stdlib}"
swift build "${flags[@]}" --product DecoderBenchmark </dev/null >"$work/build" 2>&1 || { cat "$work/build" >&2; exit 1; }
.build/release/DecoderBenchmark </dev/null | tee "$work/figures"
judge "$work/figures" decoder_vs_libxml2 least 0.8 0.5 "speed of the decoder in units of libxml2 alone"
verdict
