#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# measure.sh JACKDAW: one message by a real Prosody, from the start of the process to its end, beside other programs that send
# one. ROUNDS=60 are for quick measurements; here a third of them.
set -euo pipefail
. "$(dirname "$0")/../goals.sh"

read -ra strophe < <(pkg-config --cflags --libs libstrophe)
"${CC:-cc}" -std=gnu17 -D_GNU_SOURCE -O2 -Wall -Wextra -o "$work/strophe" "$here/../Message/strophe.c" "${strophe[@]}"

rounds=${ROUNDS:-60}
/usr/bin/python3 -B "$here/measure.py" "$jackdaw" "$work/strophe" "$here" "$here/../../Support" "$work" $(((rounds + 2) / 3)) \
  </dev/null | tee "$work/figures"
[ -z "${RECORD:-}" ] || cp "$work/programs.tsv" "$RECORD/"
judge "$work/figures" first_vs_fastest most 0.15 0.5 "'send', STARTTLS, SCRAM, nothing kept, in units of the fastest other program"
judge "$work/figures" first_vs_libstrophe_alone most 1 2.5 "the same in units of libstrophe where that reads no system's authorities"
judge "$work/figures" second_vs_fastest most 0.08 0.4 "'send', direct TLS, with what an earlier one left, in units of the fastest other program"
judge "$work/figures" agent_vs_fastest most 0.1 0.3 "'send' through an agent, in units of the fastest other program"
judge "$work/figures" first_cpu_vs_libstrophe most 0.7 1.5 "its processor's time in units of libstrophe, nothing kept"
judge "$work/figures" second_cpu_vs_libstrophe most 0.35 1 "the same with what an earlier one left"
judge "$work/figures" round_trips most 3 4 "round trips of that log-in once TCP stands"
verdict
