#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# measure.sh JACKDAW: the history of a million messages (COUNT): how long it takes to make them findable, to find words, to show the end of
# a conversation, to count what is unread and to start; and how much room a message takes.
set -euo pipefail

. "$(dirname "$0")/../goals.sh"
COUNT=${COUNT:-1000000}
directory=$work

export JACKDAW_JID=alice@jackdaw.test XDG_CONFIG_HOME="$directory/config" HOME="$directory"
# as FOLDER WORDS...: jackdaw with the data of that folder
as() {
  local folder=$1
  shift
  JACKDAW_DATA_DIR="$directory/$folder" "$jackdaw" "$@" </dev/null
}
as empty history
as full history
/usr/bin/python3 "$here/fill.py" "$directory/full/alice@jackdaw.test.sqlite3" "$COUNT"

now() { date +%s%N; }
start=$(now)
as full history --search needle >"$directory/first" 2>/dev/null
seconds=$(($(now) - start))
bytes=$(stat -c %s "$directory/full/alice@jackdaw.test.sqlite3")

# fastest FOLDER WORDS...: milliseconds, the best of ten
fastest() {
  local best=0 start took
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    start=$(now)
    as "$@" >"$directory/printed"
    took=$(($(now) - start))
    if [ "$best" = 0 ] || [ "$took" -lt "$best" ]; then best=$took; fi
  done
  awk -v ns="$best" 'BEGIN { printf "%.2f", ns / 1e6 }'
}

start_empty=$(fastest empty status --unread)
{
  awk -v ns="$seconds" -v count="$COUNT" 'BEGIN { printf "indexed %.0f\n", count / ns * 1e9 }'
  echo "bytes $((bytes / COUNT))"
  for figure in "words history --search 'needle haystack'" "page history friend0@jackdaw.test" \
    "rare history friend7@jackdaw.test --search 'needle haystack'" "part history --search '*eedle*'" \
    "day history --since 2026-01-01 --until 2026-01-01" "unread status --unread" "list history"; do
    name=${figure%% *}
    eval "words=(${figure#* })"
    took=$(fastest full "${words[@]}")
    # What a start costs is no part of it.
    awk -v name="$name" -v took="$took" -v start="$start_empty" 'BEGIN { printf "%s %.2f\n", name, took - start }'
  done
  awk -v full="$(fastest full outbox)" -v empty="$(fastest empty outbox)" 'BEGIN { printf "start %.3f\n", full / empty }'
} >"$directory/figures"

echo "   $COUNT messages:"
judge "$directory/figures" indexed least 50000 20000 "messages made findable a second"
judge "$directory/figures" bytes most 400 500 "bytes a message takes with its indexes"
judge "$directory/figures" words most 50 150 "ms to find two words"
judge "$directory/figures" rare most 50 150 "ms to find two words in one conversation"
judge "$directory/figures" part most 50 150 "ms to find a part of a word"
judge "$directory/figures" page most 5 20 "ms to show the end of a conversation"
judge "$directory/figures" day most 50 150 "ms to show a day"
judge "$directory/figures" unread most 5 20 "ms to count what is unread"
judge "$directory/figures" list most 20 60 "ms to list the conversations"
judge "$directory/figures" start most 1.1 1.5 "times as long to start as with an empty database"
verdict
