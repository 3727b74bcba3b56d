#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# scripting.sh JACKDAW: runs the recipes of Docs/SCRIPTING.md now, as they are printed there, on a private Prosody. Prints what comes of
# each with its name as a heading; `scripting.sh JACKDAW --write PAGE` puts that into the page instead, in place of what is there.
people="alice bob carol alice@work.example carol@work.example"
server_options=(--domain example.org --domain work.example)
. "$(dirname "$0")/transcripts.sh"
recipes=$(dirname "$(dirname "$here")")/Docs/SCRIPTING.md

# Alice's home, where all of the page's files are, with her two accounts; cron and systemd have nothing else.
home="$directory/alice"
mkdir -p "$home/.config/jackdaw" "$directory/bin"
ln -s "$jackdaw" "$directory/bin/jackdaw"
echo secret >"$home/.config/jackdaw/password"
account() {
  printf '[accounts.%s]\njid = "%s"\nserver = "%s:%s"\nca_file = "%s"\npassword_file = "password"\n' \
    "$1" "$2" "$(fact address)" "$(fact port)" "$(fact ca)"
}
{
  echo 'default_account = "home"'
  account home alice@example.org
  account work alice@work.example
} >"$home/.config/jackdaw/config.toml"
chmod -R go= "$home/.config"

awk -v home="$home" '
  /^<!-- file .* -->$/ { name = home "/" $3; fence = 0; next }
  name && /^```/ { if (++fence == 2) { close(name); name = "" } next }
  name { print >name }
' "$recipes"
chmod +x "$home"/{disk-alert,backup-friends,answers,pass-on,bridge}

# Disks that every machine has.
printf '%s\n' '#!/bin/sh' 'printf "Use%% Mounted on\n 31%% /\n 95%% /srv\n"' >"$directory/bin/df"
chmod +x "$directory/bin/df"

# at_home COMMAND...: in Alice's home, with her environment and no terminal
environment=(HOME="$home" PATH="$directory/bin:/usr/local/bin:/usr/bin:/bin" LC_ALL=C.UTF-8 TZ=UTC JACKDAW_TIMEOUT=120)
at_home() { (cd "$home" && exec env -i "${environment[@]}" "$@" </dev/null 2>&1); }

# begin COMMAND...: the same, going on until `end`, in a session of its own
begun=
begin() {
  # The server ends with what this script holds open, not with what it has begun.
  (cd "$home" && exec env -i "${environment[@]}" setsid "$@" </dev/null >"$directory/said" 2>&1 4>&-) &
  begun=$!
}
# end: asks what has begun to end
end() {
  kill -TERM "$begun"
  local code=0
  wait "$begun" || code=$?
  begun=
  echo "(exit code $code)"
}
# What a recipe that failed has left running goes with this script.
leave() {
  if [ -n "$begun" ]; then kill -KILL -- "-$begun" 2>/dev/null || true; fi
  for socket in "$directory"/inner "$directory"/outer; do
    if [ -S "$socket" ]; then tmux -S "$socket" kill-server 2>/dev/null || true; fi
  done
  clean_up
}
trap leave EXIT

# lines NAME LINE...: jackdaw with these lines on its standard input, for that account
lines() {
  local name=$1
  shift
  printf '%s\n' "$@" | env -i PATH="$PATH" HOME="$directory/$name" LC_ALL=C.UTF-8 TZ=UTC JACKDAW_JID="$(address "$name")" \
    JACKDAW_PASSWORD=secret JACKDAW_SERVER="$(fact address):$(fact port)" JACKDAW_CA_FILE="$(fact ca)" \
    JACKDAW_TIMEOUT=120 "$jackdaw" 2>&1
}

befriend() {
  as "$1" friends add "$2" --name "$3" >/dev/null
  as "$4" friends accept "$(address "$1")" >/dev/null
}
befriend alice bob@example.org Bob bob

# What others see of a recipe is printed with who sees it.
seen() { sed "s/^/$1: /"; }
# asks NAME TO LINE...: says these lines, and prints what comes back to the last
asks() {
  local name=$1 to=$2
  shift 2
  printf '%s\n' "$@" | seen "$name"
  lines "$name" "/to $to" "$@" '/wait message --for 60' | printed | seen "$name"
}
# hears NAME COUNT: prints so many messages
hears() { as "$1" listen --count "$2" | printed | seen "$1"; }
# printed: what others have said, of what a jackdaw prints
printed() { sed -E 's/^[0-9]{2}:[0-9]{2} /10:14 /' | grep -v -e '^10:14 -- ' -e ' arrived while you were away$'; }

cron() {
  # As cron does: what is behind the five fields of time is a command for sh.
  at_home sh -c "$(sed -n 's/^\*\/10 \* \* \* \* //p' "$home/crontab")"
  hears bob 1
}

echo_bot() {
  begin sh -c "exec $(cat "$home/echo")"
  asks bob alice@example.org 'Is anybody there?'
  end
}

ask() {
  begin sh "$home/restart"
  hears bob 1
  asks bob alice@example.org 'Wait a moment' 'Yes, do.'
  wait "$begun"
  begun=
  seen alice <"$directory/said"
}

backup() {
  at_home ./backup-friends
  cat "$home"/backup/friends-*.csv | tr -d '\r' | seen backup
}

import() {
  at_home sh ./import | seen alice
  as carol friends requests | cut -f 1 | seen carol
}

follow() {
  begin sh "$home/follow"
  : >>"$home/app.log"
  # tail has to have read the file before the line comes that it is to find.
  until ls -l $(pgrep -s "$begun" -x tail | sed 's|.*|/proc/&/fd|') 2>/dev/null | grep -q app.log; do sleep 0.05; done
  printf '%s\n' 'INFO started' 'ERROR disk failed' >>"$home/app.log"
  hears bob 1
  pkill -TERM -s "$begun" -x tail
  wait "$begun"
  begun=
}

unread() {
  at_home jackdaw unread --mark >/dev/null
  lines bob '/to alice@example.org' 'Lunch?' 'At one?' >/dev/null
  # Something receives them that shows them to nobody.
  at_home jackdaw listen --as receiver --count 2 >/dev/null
  # What a tmux shows, seen by another in which it runs: a status line is drawn for a terminal alone.
  local inner="tmux -S $directory/inner -f $home/tmux.conf" outer=(at_home TERM=screen tmux -S "$directory/outer" -f /dev/null)
  "${outer[@]}" new-session -d -x 80 -y 5 "$inner new-session"
  local shown=
  for ((tries = 0; tries < 600; tries++)); do
    shown=$("${outer[@]}" capture-pane -p | grep -o '[0-9]* unread *$' || true)
    if [[ $shown =~ ^[0-9] ]]; then break; fi
    sleep 0.1
  done
  # The outer one ends by itself with the inner.
  at_home $inner kill-server
  printf '%s\n' "$shown"
}

answers() {
  begin sh -c "exec $(cat "$home/answering")"
  asks bob alice@example.org 'disk'
  asks bob alice@example.org 'rm -rf /'
  end
}

bridge() {
  begin "$home/bridge"
  lines bob '/to alice@example.org' 'Tell Carol that I am late.' >/dev/null
  hears carol@work.example 1
  lines carol@work.example '/to alice@work.example' 'I will wait.' >/dev/null
  hears bob 1
  end
}

systemd() {
  if type systemd-analyze >/dev/null 2>&1; then
    mkdir -m 700 "$directory/runtime"
    at_home XDG_RUNTIME_DIR="$directory/runtime" systemd-analyze --user verify "$home/answers.service"
  fi
  local words
  words=$(sed -n "s|^ExecStart=||p" "$home/answers.service" | sed "s|%h|$home|")
  begin $words
  asks bob alice@example.org 'Disk'
  end
}

transcripts cron echo_bot ask backup import follow unread answers bridge systemd
