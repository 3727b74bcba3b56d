#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# measure.sh JACKDAW: `send` through the agent, beside `send` by itself; and an agent of three accounts that has
# nothing to do. ROUNDS=60 are for quick measurements.
set -euo pipefail
. "$(dirname "$0")/../goals.sh"

/usr/bin/python3 -B "$here/measure.py" "$jackdaw" "$here/../../Support" "$work" "${ROUNDS:-60}" \
  </dev/null | tee "$work/figures"
judge "$work/figures" over_round_trip_ms most 6 20 "'send' through the agent, exec to exit, beyond the round trip, in ms"
judge "$work/figures" processor_ms most 5 12 "its processor's time in ms"
judge "$work/figures" alone_vs_agent least 1 0.5 "'send' by itself, in units of that"
judge "$work/figures" idle_wakeups most 20 60 "times that an agent of three accounts woke up in 20 s with nothing to do"
judge "$work/figures" idle_private_mb most 12 28 "its private memory in MB"
verdict
