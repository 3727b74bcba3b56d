#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# history.sh JACKDAW: what Docs/HISTORY.md shows, run now on a private Prosody. Prints each transcript with its name as a
# heading; `history.sh JACKDAW --write PAGE` puts them into the page instead, in place of those of the same name.
people="alice bob carol"
. "$(dirname "$0")/transcripts.sh"
in_order=1

# says NAME TO TEXT: a message that is there before the transcripts begin
says() { as "$1" send "$2@jackdaw.test" "$3" >/dev/null; }
# hears NAME COUNT: what came is printed, as a script or a terminal would
hears() { as "$1" listen --count "$2" >/dev/null; }

befriend() {
  as alice friends add "$1@jackdaw.test" --name "$2" >/dev/null
  as "$1" friends accept alice@jackdaw.test >/dev/null
}

befriend bob Bob
befriend carol Carol
says alice bob 'Is the Café open on Sunday?'
hears bob 1
says bob alice 'The café opens at nine, the museum at ten'
says bob alice 'Tickets are 12 euros each'
hears alice 2
says alice bob "Let's meet at nine then"
hears bob 1
says carol alice 'Are you coming on Sunday? 咖啡?'
hears alice 1

reading() {
  run alice history
  run alice history Bob
  run alice history Bob --limit 1
  run alice history --from me --since 2h
}

unread() {
  run alice unread Carol
  run alice status --unread
  run alice unread --mark
  run alice status --unread
}

searching() {
  run alice history --search 'cafe nine'
  run alice history --search '"at nine"'
  run alice history --search 'open* -nine'
  run alice history --search '咖啡'
  run alice history Bob --search tickets -C 1
  run alice history --regex '[0-9]+ euros?'
}

deleting() {
  run alice history delete Carol
  run alice history
  run alice history --search '咖啡'
}

# Where another program has kept what was said to Dave.
logs="$directory/chatlogs/alice_at_jackdaw.test/dave_at_jackdaw.test"
mkdir -p "$logs"
printf '%s\n' '10:14:00 - me: Did you find the key?' '10:14:30 - dave@jackdaw.test: Under the mat' >"$logs/2019_05_04.log"
printf '%s\n' '2024-03-01T10:14:00Z - dave@jackdaw.test: Do you still have it?' >"$logs/2024_03_01.log"

importing() {
  (
    cd "$directory"
    run alice history import chatlogs --dry-run
    run alice history import chatlogs
    run alice history import chatlogs
    run alice history dave@jackdaw.test
  )
}

transcripts reading unread searching deleting importing
