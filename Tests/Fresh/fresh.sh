#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# fresh.sh: runs what the README tells a newcomer to run, `make demo` and `make test`, each on a new Debian 12 that holds
# nothing but make, git and Swift, on a new clone of this repository. provisions.sh collects, as the user, what these
# machines take from this one: Swift, and how to reach Debian and the packages. machines.sh runs one after the other, as
# root; tree.sh is what happens in each.
#
# Environment:
#   TREES="systemd-root systemd-user plain-root plain-user"   with and without systemd, as root and as a user of sudo
#   COMMANDS="demo test"
#   COMMIT=HEAD        what is checked out of the clone
#   DIRECTORY=         where all of it goes; a base tree that an earlier run with KEEP=1 left there is used again
#   KEEP=1             the trees stay
set -euo pipefail
exec </dev/null

here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)
TREES=${TREES:-systemd-root systemd-user plain-root plain-user}
COMMANDS=${COMMANDS:-demo test}

# check WHAT PATTERN WORDS...
check() {
  local what=$1 pattern=$2 word
  shift 2
  for word in "$@"; do
    [[ $word =~ $pattern ]] || { echo "fresh: there is no $what '$word'" >&2; exit 64; }
  done
}
read -ra words <<<"$TREES"
check tree '^(systemd|plain)-(root|user)$' "${words[@]}"
read -ra words <<<"$COMMANDS"
check command '^(demo|test)$' "${words[@]}"

commit=$(git -C "$repository" rev-parse --verify "${COMMIT:-HEAD}^{commit}")
if [ "$commit" = "$(git -C "$repository" rev-parse HEAD)" ] && [ -n "$(git -C "$repository" status --porcelain)" ]; then
  echo "What is not committed is not in the clone." >&2
fi

if [ -n "${DIRECTORY:-}" ]; then
  mkdir -p "$DIRECTORY"
else
  DIRECTORY=$(mktemp -d "${TMPDIR:-/tmp}/jackdaw-fresh.XXXXXX")
fi
DIRECTORY=$(cd "$DIRECTORY" && pwd)
rm -rf "$DIRECTORY/provisions"
"$here/provisions.sh" "$DIRECTORY/provisions"
git clone --quiet --no-hardlinks "$repository" "$DIRECTORY/provisions/clone"
git -C "$DIRECTORY/provisions/clone" checkout --quiet --detach "$commit"

as_root=()
if [ "$(id -u)" != 0 ]; then as_root=(sudo); fi
exec "${as_root[@]}" env TREES="$TREES" COMMANDS="$COMMANDS" KEEP="${KEEP:-}" "$here/machines.sh" "$DIRECTORY"
