#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# measure.sh JACKDAW: how many messages a second go out, each on the disk before it is on the wire and acknowledged by a server
# that does nothing else; and whether the memory stays bounded while that server reads nothing.
set -euo pipefail
. "$(dirname "$0")/../goals.sh"

"${CC:-cc}" -std=gnu17 -D_GNU_SOURCE -O2 -Wall -Wextra -o "$work/outbox" "$here/outbox.c" "$here"/../Message/{memory,server,scram}.c \
  -lssl -lcrypto
"$here/../../Support/Servers/certificates.sh" "$work" good bench.test
export HOME=$work JACKDAW_CONFIG=$work/none.toml JACKDAW_CA_FILE=$work/ca.pem JACKDAW_TLS=direct
export JACKDAW_JID=alice@bench.test JACKDAW_PASSWORD='correct horse battery staple'

# run MESSAGES STOPS_AFTER [COMMAND]: the figures of one script with an empty database; of plain lines, or of a command's.
run() {
  {
    echo "/to bob@bench.test"
    for ((number = 0; number < $1; number++)); do echo "${3:-}One message, and out."; done
  } >"$work/script"
  export JACKDAW_DATA_DIR=$work/data-$1-$2
  rm -rf "$JACKDAW_DATA_DIR"
  "$work/outbox" "$jackdaw" "$work" "$work/script" "$1" "$2" </dev/null
}
value() { awk -v name="$1" '$1 == name { print $2 }'; }

best=0
best_commands=0
: >"$work/processor"
for ((round = 0; round < 3; round++)); do
  run 10000 0 >"$work/run"
  cat "$work/run"
  value processor_us <"$work/run" >>"$work/processor"
  rate=$(value sending <"$work/run")
  ((rate > best)) && best=$rate
  rate=$(run 10000 0 '/send --wait sent bob@bench.test ' | value sending)
  ((rate > best_commands)) && best_commands=$rate
done
few=$(run 30000 500 | value private_kb)
many=$(run 120000 500 | value private_kb)
{
  echo "outbox_messages_a_second $best"
  echo "outbox_commands_a_second $best_commands"
  echo "outbox_processor_us $(sort -n "$work/processor" | head -n 1)"
  echo "outbox_private_kb_30000 $few"
  echo "outbox_private_kb_120000 $many"
  awk -v few="$few" -v many="$many" 'BEGIN { printf "outbox_memory_ratio %.2f\n", many / few }'
} | tee "$work/figures"
judge "$work/figures" outbox_messages_a_second least 10000 7000 "messages a second, on the disk first and acknowledged (best of 3)"
judge "$work/figures" outbox_commands_a_second least 20000 7000 "the same by '/send --wait sent' in each line"
judge "$work/figures" outbox_processor_us most 21 42 "processor's time in µs of one of them, with start and end (least of 3)"
judge "$work/figures" outbox_memory_ratio most 1.2 1.5 "private memory with 120,000 messages in units of 30,000, while the server reads nothing"
verdict
