#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# measure.sh JACKDAW: the processor's time from the start to the prompt, with nothing but an account in the environment: no configuration,
# nobody at the server's port; with no data (ROUNDS=60), and with 1,000 friends and a million messages (MESSAGES), some unread (a third of
# the rounds).
set -euo pipefail
. "$(dirname "$0")/../goals.sh"

"${CC:-cc}" -std=gnu17 -D_GNU_SOURCE -O2 -Wall -Wextra -o "$work/prompt" "$here/prompt.c"
# until_prompt FOLDER ROUNDS [WORD...]
until_prompt() {
  local folder=$1 rounds=$2
  shift 2
  # Port 9 of an address of the loopback network where nothing listens.
  env -i PATH="$PATH" HOME="$work" TERM=xterm-256color LANG=C.UTF-8 JACKDAW_DATA_DIR="$work/$folder" \
    JACKDAW_CONFIG="$work/none.toml" JACKDAW_JID=alice@jackdaw.test JACKDAW_PASSWORD=unused JACKDAW_SERVER=127.0.0.99:9 \
    "$work/prompt" "$rounds" "$jackdaw" "$@" </dev/null | tee "$work/$folder-figures"
}

until_prompt empty "${ROUNDS:-60}"
judge "$work/empty-figures" prompt_processor_ms most 5 15 "processor's milliseconds until the prompt"

JACKDAW_JID=alice@jackdaw.test JACKDAW_DATA_DIR="$work/full" JACKDAW_CONFIG="$work/none.toml" "$jackdaw" history </dev/null
database=$work/full/alice@jackdaw.test.sqlite3
/usr/bin/python3 -B "$here/../History/fill.py" "$database" "${MESSAGES:-1000000}"
/usr/bin/python3 -B - "$database" <<'PYTHON'
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
with database:
    database.execute("INSERT INTO roster (id, version) VALUES (1, 'v')")
    database.executemany(
        "INSERT INTO roster_item (jid, name, subscription, ask, approved) VALUES (?, ?, 'both', 0, 0)",
        ((f"friend{number}@jackdaw.test", f"Friend {number}") for number in range(1_000)))
    database.executemany(
        "INSERT INTO roster_group (item, position, name) VALUES (?, 0, ?)",
        ((number + 1, f"Group {number % 10}") for number in range(1_000)))
database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
PYTHON
# What was stored without the program is made findable beforehand, as it would have been.
JACKDAW_JID=alice@jackdaw.test JACKDAW_DATA_DIR="$work/full" JACKDAW_CONFIG="$work/none.toml" "$jackdaw" \
  history --search needle </dev/null >/dev/null 2>&1
until_prompt full "$(( (${ROUNDS:-60} + 2) / 3 ))" chat friend0@jackdaw.test
judge "$work/full-figures" prompt_processor_ms most 30 60 "the same with 1,000 friends and a million messages, in a conversation"
verdict
