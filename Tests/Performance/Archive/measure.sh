#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# measure.sh JACKDAW: a server's archive of a year, 100,000 messages (COUNT), at the first log-in of a machine: how fast pages go into the
# log, how fast they come from a Prosody that keeps them in SQLite, in units of a program that only asks for them, and whether killing
# the program a hundred times (KILLS) meanwhile does any harm.
set -euo pipefail
. "$(dirname "$0")/../goals.sh"
cd "$here/../../.."
COUNT=${COUNT:-100000}
KILLS=${KILLS:-100}
mkfifo "$work/hold"
# The server lives as long as somebody holds the other end of its standard input.
exec 3<>"$work/hold"
trap 'exec 3>&-; wait; rm -rf "$work"' EXIT

read -ra flags <<<"${RELEASE_FLAGS:--c release --static-swift-stdlib}"
swift build "${flags[@]}" --product ArchiveBenchmark </dev/null >"$work/build" 2>&1 || { cat "$work/build" >&2; exit 1; }
.build/release/ArchiveBenchmark "$work/store" </dev/null >"$work/figures"

"$here/../../Support/Servers/prosody.sh" --archive sqlite --account alice:secret --account bob:secret \
  <"$work/hold" >"$work/server" 2>"$work/errors" 3>&- &
until grep -qx ready "$work/server"; do
  kill -0 $! 2>/dev/null || { cat "$work/errors" >&2; exit 1; }
  sleep 0.1
done
value() { sed -n "s/^$1=//p" "$work/server"; }
domain=$(value domain)
export HOME=$work JACKDAW_CONFIG=$work/none.toml JACKDAW_CA_FILE JACKDAW_SERVER
export JACKDAW_JID=alice@$domain JACKDAW_PASSWORD=secret JACKDAW_TLS=direct
JACKDAW_CA_FILE=$(value ca)
JACKDAW_SERVER=$(value address):$(value direct_port)
# as FOLDER WORDS...: jackdaw with the data of that folder
as() {
  local folder=$1
  shift
  JACKDAW_DATA_DIR="$work/$folder" "$jackdaw" "$@"
}
database() { echo "$work/$1/alice@$domain.sqlite3"; }

as first send "bob@$domain" "the first" </dev/null
for _ in $(seq 100); do
  archive=$(find "$(value directory)" -name archive.sqlite)
  [ -z "$archive" ] || /usr/bin/python3 "$here/fill.py" "$archive" "$COUNT" 2>"$work/fill" && break
  sleep 0.1
done

/usr/bin/python3 "$here/pages.py" "$(value address)" "$(value direct_port)" "$domain" alice secret >>"$work/figures"

now() { date +%s%N; }
start=$(now)
as whole history sync --all </dev/null >"$work/whole.out"
took=$(($(now) - start))
/usr/bin/python3 "$here/check.py" "$(database whole)" "$COUNT" >/dev/null
awk -v ns="$took" -v count="$COUNT" 'BEGIN { printf "synced %.0f\n", count / ns * 1e9 }' >>"$work/figures"
awk '{ values[$1] = $2 } END { printf "share %.2f\n", values["synced"] / values["server_rate"] }' "$work/figures" >"$work/share"
cat "$work/share" >>"$work/figures"

# Each run goes on where the one before was killed.
killed=0
for ((round = 0; round < KILLS; round++)); do
  # Not by `as`: a function in the background is a shell of its own, and killing that leaves the program running.
  JACKDAW_DATA_DIR="$work/killed" "$jackdaw" history sync --all </dev/null >/dev/null 2>&1 &
  process=$!
  sleep "0.$((RANDOM % 6))$((RANDOM % 10))5"
  if kill -9 "$process" 2>/dev/null; then killed=$((killed + 1)); fi
  wait "$process" 2>/dev/null || true
  [ ! -e "$(database killed)" ] || /usr/bin/python3 "$here/check.py" "$(database killed)" >"$work/checked"
done
reached=$(sed -n 's/^stored //p' "$work/checked")
as killed history sync --all </dev/null >/dev/null
/usr/bin/python3 "$here/check.py" "$(database killed)" "$COUNT" >/dev/null
echo "killed $killed" >>"$work/figures"

echo "   an archive of $COUNT messages; the server delivers $(sed -n 's/^server_rate //p' "$work/figures") a second, $(sed -n 's/^synced //p' "$work/figures") come into the log"
judge "$work/figures" archive_stored least 50000 20000 "messages of pages stored a second"
judge "$work/figures" share least 0.7 0.4 "of what the server delivers to a program that only asks"
judge "$work/figures" killed least "$((KILLS * 9 / 10))" "$((KILLS / 2))" "times killed while it fetched ($reached messages by then), and all there at the end"
verdict
