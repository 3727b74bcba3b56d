#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# measure.sh JACKDAW: what it takes to enter a room of 1,000, beside a libstrophe program that counts them; the memory of 10,000; and
# what ten rooms that are entered at each log-in cost it. ROUNDS=60 are for quick measurements; here a quarter of them.
set -euo pipefail
. "$(dirname "$0")/../goals.sh"

read -ra strophe < <(pkg-config --cflags --libs libstrophe)
"${CC:-cc}" -std=gnu17 -D_GNU_SOURCE -O2 -Wall -Wextra -o "$work/strophe" "$here/strophe.c" "${strophe[@]}"

rounds=${ROUNDS:-60}
/usr/bin/python3 -B "$here/measure.py" "$jackdaw" "$work/strophe" "$here/../../Support" "$work" $(((rounds + 3) / 4)) \
  </dev/null | tee "$work/figures"
judge "$work/figures" joining_vs_libstrophe most 3 4 "processor's time of entering a room of 1,000, in units of libstrophe"
judge "$work/figures" occupant_bytes most 400 480 "private memory in bytes for each of 10,000 occupants"
judge "$work/figures" autojoin_vs_spread most 1 3 "what ten rooms to enter add to the time to the log-in, in units of its spread"
verdict
