#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# demo.sh JACKDAW: a private Prosody on the loopback network, bob on it (a second jackdaw, who answers by a program), and
# alice's prompt here. Lines on standard input are alice's; ends with her exit code. Nothing is left behind, and nothing of
# the user's own configuration, data or history is touched.
set -euo pipefail

jackdaw=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)

directory=$(mktemp -d "${TMPDIR:-/tmp}/jackdaw-demo.XXXXXX")
# The server's user passes through it to its own.
chmod 711 "$directory"
server=
bob=
alice=

# runs PROCESS: it is a child of ours and has not ended. Its id alone does not say so: another process may have it by now.
runs() {
  local line fields
  [ -n "$1" ] && { read -r line <"/proc/$1/stat"; } 2>/dev/null || return 1
  # What follows the name in brackets: the state and the parent.
  read -ra fields <<<"${line##*) }"
  [ "${fields[1]}" = $$ ] && [ "${fields[0]}" != Z ]
}

# signal NAME PROCESS...
signal() {
  local name=$1 process
  shift
  for process in "$@"; do
    if runs "$process"; then kill "-$name" "$process" 2>/dev/null || true; fi
  done
}

clean_up() {
  trap - EXIT
  trap '' HUP INT TERM
  # At the end of its input the server's script ends the server and removes what it made.
  exec 4>&- || true
  signal TERM "$alice" "$bob"
  local tries=0
  while runs "$alice" || runs "$bob" || runs "$server"; do
    tries=$((tries + 1))
    if [ "$tries" = 250 ]; then signal KILL "$alice" "$bob"; fi
    if [ "$tries" = 500 ]; then signal KILL "$server"; fi
    sleep 0.02
  done
  rm -rf "$directory"
}
trap clean_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# The server and bob are in sessions of their own: Ctrl-C and Ctrl-Z at alice's prompt are not for them.
mkfifo "$directory/commands"
setsid "$here/../Support/Servers/prosody.sh" --account alice:wonderland --account bob:builder --friends alice:bob \
  --directory "$directory" <"$directory/commands" >"$directory/server" 2>"$directory/server.log" &
server=$!
exec 4>"$directory/commands"

# wait_for FILE TEXT PROCESS LOG WHAT
wait_for() {
  local tries=0
  until grep -Eqs -- "$2" "$1"; do
    tries=$((tries + 1))
    if ! runs "$3" || [ "$tries" = 600 ]; then
      echo "demo: $5:" >&2
      tail -n 20 "$4" >&2
      exit 1
    fi
    sleep 0.05
  done
}
wait_for "$directory/server" '^ready$' "$server" "$directory/server.log" 'Prosody does not start'
fact() { sed -n "s/^$1=//p" "$directory/server"; }

# as NAME COMMAND...: becomes the command, with that account, with folders of its own for everything, and told to end
# should this script be killed
as() {
  local name=$1 home=$directory/$1
  shift
  mkdir -p -m 700 "$home"
  exec env -u JACKDAW_ACCOUNT -u JACKDAW_TLS -u JACKDAW_PASSWORD -u JACKDAW_OUTPUT -u JACKDAW_TIMEOUT \
    --default-signal=INT,QUIT \
    XDG_CONFIG_HOME="$home/config" XDG_DATA_HOME="$home/data" XDG_STATE_HOME="$home/state" XDG_CACHE_HOME="$home/cache" \
    JACKDAW_CONFIG="$home/config.toml" JACKDAW_DATA_DIR="$home/data" \
    JACKDAW_JID="$name@$(fact domain)" JACKDAW_PASSWORD_FILE="$home/password" \
    JACKDAW_SERVER="$(fact address):$(fact port)" JACKDAW_CA_FILE="$(fact ca)" \
    setpriv --pdeathsig TERM "$@"
}

# keep_password NAME PASSWORD
keep_password() {
  mkdir -p -m 700 "$directory/$1"
  (umask 077 && printf '%s\n' "$2" >"$directory/$1/password")
}
keep_password alice wonderland
keep_password bob builder

as bob setsid "$jackdaw" listen --json --exec "$here/answer.py" --reply \
  </dev/null 4>&- >"$directory/bob.events" 2>"$directory/bob.log" &
bob=$!
# Prosody tells him of his own presence too.
wait_for "$directory/bob.events" '"state":"online"|"event":"presence"' "$bob" "$directory/bob.log" 'bob does not come online'

if [ -t 0 ]; then
  printf '%s\n' "You are alice, on a private server that ends with this prompt. bob is another jackdaw, who answers." \
    "Write to him, or try /friends, /help, /quit." >&2
fi

interrupted=false
# pass SIGNAL: alice decides what it means
pass() {
  interrupted=true
  signal "$1" "$alice"
}
# In the background, but in the terminal's process group, so that this shell can do its part while she runs.
as alice "$jackdaw" chat "bob@$(fact domain)" <&0 4>&- &
alice=$!
trap 'pass HUP' HUP
trap 'pass TERM' TERM
# From the terminal she has it already.
if [ -t 0 ]; then trap 'interrupted=true' INT; else trap 'pass INT' INT; fi

status=0
while :; do
  interrupted=false
  wait "$alice" && status=0 || status=$?
  [ "$interrupted" = true ] || break
done
alice=
exit "$status"
