#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# friends.sh JACKDAW: what Docs/FRIENDS.md shows, run now on a private Prosody. Prints each transcript with its name as a
# heading; `friends.sh JACKDAW --write PAGE` puts them into the page instead, in place of those of the same name.
people="alice bob carol dave erin frank"
. "$(dirname "$0")/transcripts.sh"

adding() {
  run alice friends add bob@jackdaw.test --name 'Bob B.' --group Work --message 'We met in Rome'
  run alice friends
  run bob friends requests
  run bob friends accept alice@jackdaw.test
  run alice friends requests
  run alice friends
  run alice friends add 'Bob B.'
}

mutual() {
  run alice friends add carol@jackdaw.test
  run carol friends add alice@jackdaw.test
  run alice friends requests
  run alice friends
  run carol friends
}

removing() {
  run alice friends remove 'Bob B.'
  run alice friends
  run bob friends
  run alice friends remove bob@jackdaw.test
}

strangers() {
  for name in dave erin frank; do as "$name" friends add alice@jackdaw.test >/dev/null; done
  run alice friends requests
  run alice friends accept dave@jackdaw.test
  run alice friends reject --all
  run alice friends requests
  run alice friends reject erin@jackdaw.test
}

transcripts adding mutual removing strangers
