# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# What prosody.sh, ejabberd.sh and jabberd2.sh share: their options, the directory, the server's process, and the conversation with
# whoever started the script. Sourced by them; they define
#   server_user                     who the server runs as where the script is root
#   write_configuration             fills $server_directory
#   server_command                  sets the array `command` that runs the server in the foreground
#   server_answers                  true once it takes clients (besides its ports taking connections)
#   create_account USER DOMAIN PASSWORD
#   make_friends USER1 USER2 DOMAIN both subscribe to each other
#   server_processes                prints the ids of the processes that do what clients ask for (the one of `command`)
#   server_option OPTION VALUE      takes an option of its own (without a value: --clustered); false: there is none
# and end with `supervise "$@"`.
#
# Options:
#   --domain NAME          repeatable; the first is the main one (jackdaw.test)
#   --account USER[@DOMAIN]:PASSWORD   repeatable
#   --friends USER1:USER2  repeatable; of the main domain
#   --address IP           an address of the loopback network (one of its own by default, so that ports never collide)
#   --port N --direct-port N           STARTTLS and direct TLS (5222 and 5223, if nothing listens there)
#   --tls any|1.2|1.3      versions of TLS that the server speaks
#   --scram SHA-1|SHA-256|SHA-512|plain   how passwords are kept, which decides what SCRAM is offered
#   --disable-mechanism NAME           repeatable
#   --certificate KIND     as certificates.sh knows them (good)
#   --registration         in-band registration (XEP-0077) is open
#   --without FEATURE      repeatable: smacks, mam, carbons, csi, pep, blocking, ... by the name the script gives it
#   --component NAME       a component of that domain may log in (XEP-0114), its secret is `component`
#   --directory DIR        where to make the server's own directory (${TMPDIR:-/tmp})
#   --debug                the server logs all it does
#   --keep                 the directory stays at the end
#
# On standard output, when the server answers: lines of KEY=VALUE, then `ready`. Then each line on standard input is a
# command, answered by one line, `ok …` or `failed …`:
#   user NAME PASSWORD [DOMAIN]   friends NAME NAME   restart   stop   start   kill (SIGKILL)   freeze   thaw   log
# At the end of standard input, or by SIGTERM, SIGINT, SIGHUP, the server ends and its directory goes. So it never
# outlives who started it: the kernel closes the pipe of a process that is killed.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=$(basename "$0" .sh)

domains=()
accounts=()
friendships=()
disabled_mechanisms=()
without=()
address=
port=
direct_port=
tls=any
scram=
certificate=good
registration=false
component=
parent_directory=${TMPDIR:-/tmp}
log_level=info
keep=false

directory=
server_directory=
server_pid=
command=()

component_port=
# For a server's administration.
api_port=
# For the nodes of a cluster, on each the same; set already where there is a cluster to join.
node_port=
readonly component_secret=component

# How long a server may take to answer, in seconds: ejabberd on a busy machine of two cores needed 12.
readonly start_limit=120
# How long it may take to end when asked, before it is killed.
readonly stop_limit=60

fail() {
  echo "$program: $*" >&2
  exit 1
}

usage_error() {
  echo "$program: $*" >&2
  exit 64
}

parse_options() {
  while [ $# -gt 0 ]; do
    case $1 in
      --registration) registration=true; shift; continue ;;
      --debug) log_level=debug; shift; continue ;;
      --keep) keep=true; shift; continue ;;
      --clustered | --unnamed-answers | --faulty-xml | --registration-questions | --community | --tickets)
        server_option "$1" || usage_error "unknown option '$1'"
        shift
        continue
        ;;
    esac
    [ $# -ge 2 ] || usage_error "'$1' is no option, or lacks its value"
    case $1 in
      --domain) domains+=("$2") ;;
      --account) accounts+=("$2") ;;
      --friends) friendships+=("$2") ;;
      --address) address=$2 ;;
      --port) port=$2 ;;
      --direct-port) direct_port=$2 ;;
      --tls) tls=$2 ;;
      --scram) scram=$2 ;;
      --disable-mechanism) disabled_mechanisms+=("$2") ;;
      --certificate) certificate=$2 ;;
      --without) without+=("$2") ;;
      --component) component=$2 ;;
      --directory) parent_directory=$2 ;;
      *) server_option "$1" "$2" || usage_error "unknown option '$1'" ;;
    esac
    shift 2
  done
  [ ${#domains[@]} -gt 0 ] || domains=(jackdaw.test)
  case $tls in any | 1.2 | 1.3) ;; *) usage_error "--tls is any, 1.2 or 1.3, not '$tls'" ;; esac
}

# has FEATURE: not taken away by --without
has() {
  local feature
  for feature in "${without[@]}"; do
    [ "$feature" != "$1" ] || return 1
  done
}

# answers PORT: something takes connections there
answers() { { true <>"/dev/tcp/$address/$1"; } 2>/dev/null; }

# A moment, for which no process is started: servers of a whole test run are waited for some ten thousand times. Nobody writes into
# that pipe, whose other end is this one.
exec {silence}<> <(:)
pause() { read -rt 0.03 -u "$silence" || true; }

# The whole of 127.0.0.0/8 is this machine: an address made of our process id is ours alone.
choose_address() { address=127.$((64 + ($$ >> 16) % 128)).$((($$ >> 8) % 256)).$(($$ % 256)); }

# The usual ports, unless they are taken: by a server on all addresses of this machine, or by one whose script had our process
# id before. Then any, below those that the kernel gives to clients.
choose_ports() {
  local asked=("$port" "$direct_port" "" "" "$node_port") first=5222 attempt number ports
  for attempt in 1 2 3 4 5 6 7 8; do
    ports=()
    for number in "${!asked[@]}"; do ports+=("${asked[number]:-$((first + number))}"); done
    first=$((10000 + RANDOM % 20000))
    for number in "${ports[@]}"; do
      ! answers "$number" || continue 2
    done
    port=${ports[0]} direct_port=${ports[1]} component_port=${ports[2]} api_port=${ports[3]} node_port=${ports[4]}
    return
  done
  fail "no free ports on $address; the last tried: ${ports[*]}"
}

start_server() {
  server_command
  local as_user=()
  if [ "$(id -u)" = 0 ]; then
    as_user=(--reuid "$server_user" --regid "$(id -g "$server_user")" --init-groups)
  fi
  # The server also ends when this script is killed and cannot end it.
  (cd "$server_directory" && exec {silence}>&- setpriv --pdeathsig KILL "${as_user[@]}" "${command[@]}") \
    </dev/null >>"$directory/output.log" 2>&1 &
  server_pid=$!
  # Else bash reports its end on standard error.
  disown "$server_pid"
  local deadline=$((SECONDS + start_limit))
  until answers "$port" && answers "$direct_port" && { [ -z "$component" ] || answers "$component_port"; } \
    && server_answers; do
    if ! server_runs; then
      show_log
      fail "the server ended while it started"
    fi
    [ "$SECONDS" -lt "$deadline" ] || { show_log; fail "no answer on $address:$port within $start_limit s"; }
    pause
  done
}

# The server runs. Its id alone does not say so: another process may have it by now.
server_runs() {
  # A signal's trap may run this inside of `IFS= read`.
  local line fields IFS=$' \t\n'
  [ -n "$server_pid" ] && { read -r line <"/proc/$server_pid/stat"; } 2>/dev/null || return 1
  # What follows the name in brackets: the state and the parent.
  read -ra fields <<<"${line##*) }"
  [ "${fields[1]}" = $$ ] && [ "${fields[0]}" != Z ]
}

# signal_server SIGNAL
signal_server() { server_runs && kill "-$1" "$server_pid"; }

server_processes() { echo "$server_pid"; }

# signal_processes SIGNAL
signal_processes() {
  local ids
  server_runs && read -ra ids <<<"$(server_processes)" && kill "-$1" "${ids[@]}"
}

# end_server SIGNAL
end_server() {
  signal_server "$1" || true
  signal_server CONT || true
  local deadline=$((SECONDS + stop_limit))
  while server_runs; do
    [ "$SECONDS" -lt "$deadline" ] || signal_server KILL || true
    pause
  done
  server_pid=
}

# Waits until this server has forgotten the sessions of the others of its cluster.
await_alone() {
  declare -F server_is_alone >/dev/null || return 64
  local deadline=$((SECONDS + start_limit))
  until server_is_alone; do
    [ "$SECONDS" -lt "$deadline" ] || return 1
    pause
  done
}

show_log() {
  local file
  for file in "$directory"/output.log "$server_directory"/*.log; do
    [ ! -s "$file" ] || tail -n 40 "$file" >&2
  done
}

clean_up() {
  trap - EXIT
  end_server KILL
  if [ -n "$directory" ] && [ "$keep" = false ]; then rm -rf "$directory"; fi
}

add_account() {
  local user=${1%%:*} password=${1#*:} domain=${domains[0]}
  case $user in *@*) domain=${user#*@} user=${user%%@*} ;; esac
  create_account "$user" "$domain" "$password"
}

obey() {
  local words
  read -ra words <<<"$1"
  case ${words[0]:-} in
    user) create_account "${words[1]}" "${words[3]:-${domains[0]}}" "${words[2]}" ;;
    friends) make_friends "${words[1]}" "${words[2]}" "${domains[0]}" ;;
    restart)
      end_server TERM
      start_server
      ;;
    start) [ -n "$server_pid" ] || start_server ;;
    stop) end_server TERM ;;
    kill) end_server KILL ;;
    freeze) signal_processes STOP ;;
    thaw) signal_processes CONT ;;
    alone) await_alone ;;
    log) show_log ;;
    *) return 64 ;;
  esac
}

supervise() {
  parse_options "$@"
  [ -n "$address" ] || choose_address
  choose_ports
  directory=$(mktemp -d "$parent_directory/jackdaw-$program.XXXXXX")
  trap clean_up EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  server_directory=$directory/server
  mkdir "$server_directory"
  "$here/certificates.sh" "$directory" "$certificate" "${domains[@]}" "${domains[@]/#/rooms.}"
  mv "$directory/server.pem" "$directory/server.key" "$server_directory/"
  write_configuration
  chmod 711 "$directory"
  chmod 700 "$server_directory"
  if [ "$(id -u)" = 0 ]; then chown -R "$server_user:" "$server_directory"; fi
  start_server
  local entry line
  for entry in "${accounts[@]}"; do add_account "$entry"; done
  for entry in "${friendships[@]}"; do make_friends "${entry%%:*}" "${entry#*:}" "${domains[0]}"; done
  printf '%s\n' "domain=${domains[0]}" "address=$address" "port=$port" "direct_port=$direct_port" "component_port=$component_port" \
    "ca=$directory/ca.pem" "directory=$directory" "pid=$server_pid" ready
  while IFS= read -r line; do
    if obey "$line"; then echo "ok $line"; else echo "failed $line"; fi
  done
}
