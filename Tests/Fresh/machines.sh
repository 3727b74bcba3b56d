#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# machines.sh DIRECTORY: makes a base tree there by debootstrap, unless there is one, and from it a new tree for each of
# $COMMANDS in each of $TREES; shows how each ended, and a table. Run by root, by fresh.sh.
set -euo pipefail
exec </dev/null

directory=$1
here=$(cd "$(dirname "$0")" && pwd)
read -ra trees <<<"$TREES"
read -ra commands <<<"$COMMANDS"
provisions=$directory/provisions
output=$directory/output
mkdir -p "$output"
# The user of a tree passes through it.
chmod 755 "$directory"

inside=
# in_namespaces WORDS...: tree.sh, where whatever it mounts and starts ends with it
in_namespaces() {
  # In a process group of its own.
  set -m
  unshare --mount --pid --fork --kill-child --uts --ipc "$here/tree.sh" "$@" &
  set +m
  inside=$!
  # A signal interrupts this wait, as it would not a program in the foreground.
  local code=0
  wait "$inside" || code=$?
  inside=
  return "$code"
}

remove() { rm -rf --one-file-system "$@"; }
clean_up() {
  trap '' HUP INT TERM
  # unshare heeds no polite signal.
  if [ -n "$inside" ]; then
    kill -KILL -- "-$inside" || true
    wait "$inside" || true
  fi
  if [ "$KEEP" = 1 ]; then
    echo "The trees are kept in $directory"
  else
    # What was killed may have left a file meanwhile.
    remove "$directory"/tree-* "$directory/base" "$provisions" || remove "$directory"/tree-*
  fi
}
trap clean_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

if [ ! -d "$directory/base" ]; then
  echo "== debootstrap"
  remove "$directory/tree-base"
  if ! in_namespaces make-base "$directory/tree-base" "$provisions" >"$output/base.log" 2>&1; then
    tail -n 40 "$output/base.log" >&2
    echo "fresh: Debian could not be installed; all of the output: $output/base.log" >&2
    exit 1
  fi
  mv "$directory/tree-base" "$directory/base"
fi

# How many lines of the output of each are shown.
readonly shown=25
status=0
table=
for tree in "${trees[@]}"; do
  for command in "${commands[@]}"; do
    name=$tree-$command
    echo "== $name"
    remove "$directory/tree-$name"
    cp -a "$directory/base" "$directory/tree-$name"
    begun=$SECONDS code=0
    in_namespaces run "$directory/tree-$name" "$provisions" "$tree" "$command" >"$output/$name.log" 2>&1 || code=$?
    duration=$((SECONDS - begun))
    tail -n "$shown" "$output/$name.log" | sed 's/^/    /'
    echo "$name: exit code $code after $duration s; all of the output: $output/$name.log"
    table+=$(printf '%-20s %9s %8s s' "$name" "$code" "$duration")$'\n'
    if [ "$code" != 0 ]; then status=1; fi
    if [ "$KEEP" != 1 ]; then remove "$directory/tree-$name"; fi
  done
done

printf '\n%-20s %9s %10s\n%sOutput: %s\n' tree-command 'exit code' duration "$table" "$output"
exit "$status"
