#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# measure.sh JACKDAW: what the requests of a log-in cost at a server 50 ms away, in round trips: a proxy before a real
# server holds every byte back. ROUNDS=60 are for quick measurements; here a quarter of them.
set -euo pipefail
. "$(dirname "$0")/../goals.sh"
mkfifo "$work/hold"
# The server lives as long as somebody holds the other end of its standard input.
exec 3<>"$work/hold"
trap 'exec 3>&-; wait; rm -rf "$work"' EXIT

"${CC:-cc}" -std=gnu17 -D_GNU_SOURCE -O2 -Wall -Wextra -o "$work/login" "$here"/{login,delay}.c
"$here/../../Support/Servers/prosody.sh" --account alice:secret --account bob:secret \
  <"$work/hold" >"$work/server" 2>"$work/errors" 3>&- &
until grep -qx ready "$work/server"; do
  kill -0 $! 2>/dev/null || { cat "$work/errors" >&2; exit 1; }
  sleep 0.1
done
value() { sed -n "s/^$1=//p" "$work/server"; }

domain=$(value domain)
export HOME=$work JACKDAW_CONFIG=$work/none.toml JACKDAW_DATA_DIR=$work/data JACKDAW_CA_FILE
export JACKDAW_JID=alice@$domain JACKDAW_PASSWORD=secret JACKDAW_TLS=starttls
JACKDAW_CA_FILE=$(value ca)
echo "/send bob@$domain hello" >"$work/script"

# That there are requests to measure: those with an id that the server answers before the message goes out.
JACKDAW_SERVER=$(value address):$(value port) "$jackdaw" --log-xml run "$work/script" >/dev/null 2>"$work/log"
requests=0
for namespace in jabber:iq:roster urn:xmpp:carbons:2 urn:xmpp:blocking vcard-temp 'http://jabber.org/protocol/disco#info'; do
  if grep -Eq "<iq [^>]*type=['\"](get|set)['\"].*xmlns=['\"]$namespace['\"]" "$work/log"; then
    requests=$((requests + 1))
  fi
done

rounds=${ROUNDS:-60}
{
  echo "login_requests $requests"
  "$work/login" $(((rounds + 3) / 4)) 50 "$(value address)" "$(value port)" "$jackdaw" "$work/script" "bob@$domain" </dev/null
} | tee "$work/figures"
judge "$work/figures" login_requests least 5 5 "requests of the log-in of a session that remains online, seen on the wire"
judge "$work/figures" login_more_round_trips most 1 1.5 "round trips that they cost, 50 ms each"
verdict
