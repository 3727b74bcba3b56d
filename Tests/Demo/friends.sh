#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# friends.sh JACKDAW: what Docs/FRIENDS.md shows, run now on a private Prosody. Prints each transcript with its name as a
# heading; `friends.sh JACKDAW --write PAGE` puts them into the page instead, in place of those of the same name.
set -euo pipefail

jackdaw=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
page=
if [ "${2:-}" = --write ]; then page=$3; fi

directory=$(mktemp -d "${TMPDIR:-/tmp}/jackdaw-friends.XXXXXX")
# The server's user passes through it to its own.
chmod 711 "$directory"
server=
clean_up() {
  # At the end of its input the server's script ends the server and removes what it made.
  exec 4>&- || true
  if [ -n "$server" ]; then wait "$server" || true; fi
  rm -rf "$directory"
}
trap clean_up EXIT

mkfifo "$directory/commands"
setsid "$here/../Support/Servers/prosody.sh" --account alice:secret --account bob:secret --account carol:secret \
  --account dave:secret --account erin:secret --account frank:secret --directory "$directory" \
  <"$directory/commands" >"$directory/server" 2>"$directory/server.log" &
server=$!
exec 4>"$directory/commands"
for ((tries = 0; tries < 1200; tries++)); do
  if grep -qx ready "$directory/server"; then break; fi
  kill -0 "$server" 2>/dev/null || break
  sleep 0.05
done
grep -qx ready "$directory/server" || { cat "$directory/server.log" >&2; exit 1; }
fact() { sed -n "s/^$1=//p" "$directory/server"; }

# as NAME WORDS...: jackdaw, with that account
as() {
  local name=$1
  shift
  env -i PATH="$PATH" HOME="$directory/$name" LC_ALL=C.UTF-8 TZ=UTC JACKDAW_JID="$name@$(fact domain)" \
    JACKDAW_PASSWORD=secret JACKDAW_SERVER="$(fact address):$(fact port)" JACKDAW_CA_FILE="$(fact ca)" \
    JACKDAW_TIMEOUT=120 "$jackdaw" "$@" </dev/null 2>&1
}

# run NAME WORDS...: the same as a transcript; the lines that it prints in a fixed order
run() {
  local name=$1 code=0 word line
  shift
  line="$name\$ jackdaw"
  for word in "$@"; do
    case $word in *[[:space:]]*) line+=" '$word'" ;; *) line+=" $word" ;; esac
  done
  printf '%s\n' "$line"
  as "$name" "$@" >"$directory/printed" || code=$?
  # Columns as a terminal has them; nothing at the end of a line.
  sed -e 's/\t\t*/  /g' -e 's/ *$//' "$directory/printed" | LC_ALL=C sort
  if [ "$code" != 0 ]; then echo "(exit code $code)"; fi
}

adding() {
  run alice friends add bob@jackdaw.test --name 'Bob B.' --group Work
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

for name in adding mutual removing strangers; do
  printf '<!-- %s -->\n```\n' "$name"
  "$name"
  printf '```\n'
done >"$directory/transcripts"

if [ -z "$page" ]; then
  cat "$directory/transcripts"
else
  # From each heading to the end of its block.
  awk -v transcripts="$directory/transcripts" '
    BEGIN {
      while ((getline line <transcripts) > 0) {
        if (line ~ /^<!-- .* -->$/) name = line
        text[name] = text[name] line "\n"
      }
    }
    $0 in text { printf "%s", text[$0]; skipping = 1; fences = 0; next }
    skipping { if ($0 == "```" && ++fences == 2) skipping = 0; next }
    { print }
  ' "$page" >"$directory/page"
  cat "$directory/page" >"$page"
fi
