#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# rooms.sh JACKDAW: what Docs/ROOMS.md shows, run now on a private Prosody. Prints each transcript with its name as a
# heading; `rooms.sh JACKDAW --write PAGE` puts them into the page instead, in place of those of the same name.
people="alice bob carol"
. "$(dirname "$0")/transcripts.sh"

making() {
  run alice rooms create tea --name 'All about tea'
  run alice rooms topic tea Green or black?
  run alice rooms config tea publicroom=yes
  run alice rooms
}

joining() {
  run bob rooms find
  run bob rooms join tea@rooms.jackdaw.test --nick Bobby
  run bob rooms topic tea
  run bob rooms
  run carol rooms topic tea@rooms.jackdaw.test
}

private() {
  run alice rooms create plans --private
  run alice rooms invite plans bob@jackdaw.test
  run alice rooms list plans members
  run bob rooms join plans@rooms.jackdaw.test
  run carol rooms join plans@rooms.jackdaw.test
}

order() {
  run alice rooms ban tea carol@jackdaw.test --reason Spam
  run alice rooms list tea banned
  run carol rooms join tea@rooms.jackdaw.test
  run alice rooms unban tea carol@jackdaw.test
  run alice rooms affiliation tea bob@jackdaw.test admin
}

moving() {
  run alice rooms create green --name 'Green tea'
  run bob rooms join green@rooms.jackdaw.test --nick Bobby
  run alice rooms create leaves
  run alice rooms destroy green --to leaves@rooms.jackdaw.test
  run bob rooms join green
  run bob rooms join leaves@rooms.jackdaw.test --instead-of green@rooms.jackdaw.test
}

leaving() {
  run bob rooms leave tea
  run alice rooms destroy tea --reason 'The kettle is broken'
  run alice rooms
}

transcripts making joining private order moving leaving
