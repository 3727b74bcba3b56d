#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# measure.sh JACKDAW: log-ins with contact lists of 1,000, 10,000 and 50,000, beside a libstrophe program that fetches the same
# list. ROUNDS=7 of each.
set -euo pipefail
. "$(dirname "$0")/../goals.sh"

read -ra strophe < <(pkg-config --cflags --libs libstrophe)
"${CC:-cc}" -std=gnu17 -D_GNU_SOURCE -O2 -Wall -Wextra -o "$work/strophe" "$here/strophe.c" "${strophe[@]}"
"$here/../../Support/Servers/certificates.sh" "$work" good bench.test

/usr/bin/python3 -B "$here/measure.py" "$jackdaw" "$work/strophe" "$work" "${ROUNDS:-7}" </dev/null | tee "$work/figures"
judge "$work/figures" cpu_50000_vs_10000 most 6 7 "processor time of 50,000 in units of 10,000"
judge "$work/figures" cpu_listing_50000_vs_10000 most 6 7 "processor time of listing 50,000 in units of 10,000"
judge "$work/figures" cpu_10000_vs_libstrophe most 1 1.25 "processor time of 10,000 in units of libstrophe"
judge "$work/figures" dirty_memory_kb_1000 most 8192 9216 "private memory at its peak in KB at 1,000, what the process wrote"
judge "$work/figures" private_memory_kb_1000 most 8192 24576 "the same with the files' pages that no other process has mapped"
judge "$work/figures" private_memory_kb_50000 most 40960 45056 "the same in KB at 50,000"
verdict
