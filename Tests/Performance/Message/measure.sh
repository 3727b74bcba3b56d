#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# measure.sh JACKDAW: one message from the start of the process, beside a libstrophe program doing the same, and the
# memory that it takes. ROUNDS=60 of each way to log in.
set -euo pipefail
. "$(dirname "$0")/../goals.sh"

compile=("${CC:-cc}" -std=gnu17 -D_GNU_SOURCE -O2 -Wall -Wextra)
"${compile[@]}" -o "$work/measure" "$here"/{measure,memory,server,scram}.c -lssl -lcrypto
read -ra strophe < <(pkg-config --cflags --libs libstrophe)
"${compile[@]}" -o "$work/strophe" "$here/strophe.c" "${strophe[@]}"
"$here/../../Support/Servers/certificates.sh" "$work" good bench.test

"$work/measure" "$jackdaw" "$work/strophe" "$work" "${ROUNDS:-60}" </dev/null | tee "$work/figures"
for way in direct_scram starttls_scram starttls_scram_sha1 starttls_plain direct_scram_first; do
  judge "$work/figures" "${way}_vs_libstrophe" most 1 1.25 "$way, start to message received, in units of libstrophe"
done
judge "$work/figures" dirty_memory_kb most 5120 6144 "private memory at its peak in KB, what the process wrote"
judge "$work/figures" private_memory_kb most 5120 24576 "the same with the files' pages that no other process has mapped"
verdict
