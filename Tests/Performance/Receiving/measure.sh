#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# measure.sh JACKDAW: what 20,000 messages cost that arrive as fast as they are taken: each is stored before it is acknowledged
# (XEP-0198), and printed; beside a libstrophe program that prints them and stores nothing. ROUNDS=60 are for quick measurements;
# here a sixth of them.
set -euo pipefail
. "$(dirname "$0")/../goals.sh"

compile=("${CC:-cc}" -std=gnu17 -D_GNU_SOURCE -O2 -Wall -Wextra)
"${compile[@]}" -o "$work/receiving" "$here"/{receiving,traffic}.c "$here"/../Message/{server,scram}.c -lssl -lcrypto
read -ra strophe < <(pkg-config --cflags --libs libstrophe)
"${compile[@]}" -o "$work/strophe" "$here/strophe.c" "${strophe[@]}"
"$here/../../Support/Servers/certificates.sh" "$work" good bench.test
export HOME=$work LANG=C.UTF-8 JACKDAW_DATA_DIR=$work/data JACKDAW_CONFIG=$work/none.toml JACKDAW_CA_FILE=$work/ca.pem
export JACKDAW_TLS=direct JACKDAW_JID=alice@bench.test JACKDAW_PASSWORD='correct horse battery staple'

rounds=${ROUNDS:-60}
"$work/receiving" "$jackdaw" "$work/strophe" "$work" 20000 $(((rounds + 5) / 6)) </dev/null 2>"$work/errors" |
  tee "$work/figures" || { tail -n 3 "$work/errors" >&2; exit 1; }
for kind in bare annotated; do
  judge "$work/figures" "${kind}_processor_us" most 12 20 "processor's time in µs of one $kind message, stored and printed"
  judge "$work/figures" "${kind}_messages_a_second" least 60000 20000 "$kind messages a second"
done
judge "$work/figures" waiting_processor_us most 24 36 "processor's time in µs of one that waits for its place"
verdict
