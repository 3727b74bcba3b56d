#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# A private IRC server (ngircd) on the loopback network, and the gateway (biboumi) that makes its channels rooms of an XMPP server
# which lets in a component of that domain:
#   irc.sh --domain NAME --server ADDRESS --component-port PORT [--address IP]
# The channel #tea is the room `#tea%IP@NAME`, who is called bobby there `bobby%IP@NAME`. Whoever says `OPER oper operate` may do
# anything on the IRC server.
#
# On standard output, when both answer: `address=IP`, then `ready`. Then each line on standard input is a command about the IRC server,
# answered by `ok …`: stop   start. At the end of standard input, or by a signal, both end and what they wrote goes.
set -euo pipefail

domain=
server=
component_port=
address=127.$((64 + ($$ >> 16) % 128)).$((($$ >> 8) % 256)).$(($$ % 256))
# Of IRC; biboumi looks for a server nowhere else.
readonly irc_port=6667
readonly start_limit=60
readonly component_secret=component

while [ $# -ge 2 ]; do
  case $1 in
    --domain) domain=$2 ;;
    --server) server=$2 ;;
    --component-port) component_port=$2 ;;
    --address) address=$2 ;;
    *) break ;;
  esac
  shift 2
done
if [ $# -gt 0 ] || [ -z "$domain" ] || [ -z "$server" ] || [ -z "$component_port" ]; then
  echo "irc.sh: --domain NAME --server ADDRESS --component-port PORT [--address IP] are wanted" >&2
  exit 64
fi

directory=$(mktemp -d "${TMPDIR:-/tmp}/jackdaw-irc.XXXXXX")
irc_pid=
gateway_pid=

end() { [ -z "$1" ] || { kill "-$2" "$1" && tail --pid="$1" -s 0.02 -f /dev/null; } 2>/dev/null || true; }
clean_up() {
  trap - EXIT
  end "$gateway_pid" KILL
  end "$irc_pid" KILL
  rm -rf "$directory"
}
trap clean_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

fail() {
  tail -n 20 "$directory"/*.log >&2
  echo "irc.sh: $*" >&2
  exit 1
}

# await WHAT PID COMMAND...: until the command says yes
await() {
  local what=$1 pid=$2 deadline=$((SECONDS + start_limit))
  shift 2
  until "$@"; do
    kill -0 "$pid" 2>/dev/null || fail "$what ended while it started"
    [ "$SECONDS" -lt "$deadline" ] || fail "$what did not answer within $start_limit s"
    sleep 0.02
  done
}

irc_answers() { (exec 3<>"/dev/tcp/$address/$irc_port") 2>/dev/null; }
gateway_is_there() { grep -qs 'Authenticated with the XMPP server' "$directory/gateway.log"; }

start_irc() {
  # Run by root it becomes nobody by itself. It ends when this script is killed and cannot end it.
  setpriv --pdeathsig KILL ngircd --nodaemon --config "$directory/ngircd.conf" </dev/null >>"$directory/irc.log" 2>&1 &
  irc_pid=$!
  disown "$irc_pid"
  await ngircd "$irc_pid" irc_answers
}

start_gateway() {
  local as_user=()
  if [ "$(id -u)" = 0 ]; then
    as_user=(--reuid _biboumi --regid "$(id -g _biboumi)" --init-groups)
    chown _biboumi: "$directory/gateway"
  fi
  (cd "$directory/gateway" && exec setpriv --pdeathsig KILL "${as_user[@]}" biboumi "$directory/biboumi.cfg") \
    </dev/null >>"$directory/gateway.log" 2>&1 &
  gateway_pid=$!
  disown "$gateway_pid"
  await biboumi "$gateway_pid" gateway_is_there
}

cat >"$directory/ngircd.conf" <<CONF
[Global]
  Name = irc.test
  Info = For tests
  Listen = $address
  Ports = $irc_port
  MotdPhrase = Hello
[Limits]
  # Nobody waits for having said much, and nicks may be those of the tests' accounts.
  MaxPenaltyTime = 0
  MaxConnectionsIP = 0
  MaxNickLength = 31
[Options]
  DNS = no
  Ident = no
  PAM = no
[Operator]
  Name = oper
  Password = operate
CONF
cat >"$directory/biboumi.cfg" <<CONF
hostname=$domain
password=$component_secret
xmpp_server_ip=$server
port=$component_port
db_name=$directory/gateway/biboumi.sqlite
log_level=1
identd_port=0
policy_directory=$directory
CONF
mkdir "$directory/gateway"
chmod 711 "$directory"

start_irc
start_gateway
printf '%s\n' "address=$address" ready
while IFS= read -r line; do
  case $line in
    stop)
      end "$irc_pid" TERM
      irc_pid=
      ;;
    start) start_irc ;;
    *) fail "there is no command '$line'" ;;
  esac
  echo "ok $line"
done
