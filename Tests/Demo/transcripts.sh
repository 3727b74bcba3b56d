# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# transcripts.sh: what friends.sh, history.sh, rooms.sh and scripting.sh have in common, which read it in:
# `. transcripts.sh JACKDAW [--write PAGE]`, after `people`, the names of the accounts, is set, and `server_options` where the server is to
# have some. Starts a private Prosody, which ends with the script.
set -euo pipefail

jackdaw=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
page=
if [ "${2:-}" = --write ]; then page=$3; fi

directory=$(mktemp -d "${TMPDIR:-/tmp}/jackdaw-transcripts.XXXXXX")
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

accounts=()
for name in $people; do accounts+=(--account "$name:secret"); done
mkfifo "$directory/commands"
setsid "$here/../Support/Servers/prosody.sh" "${server_options[@]}" "${accounts[@]}" \
  --directory "$directory" \
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

# address NAME: that account's; a name may have another domain than the main one
address() { case $1 in *@*) echo "$1" ;; *) echo "$1@$(fact domain)" ;; esac; }

# as NAME WORDS...: jackdaw, with that account
as() {
  local name=$1
  shift
  env -i PATH="$PATH" HOME="$directory/$name" LC_ALL=C.UTF-8 TZ=UTC JACKDAW_JID="$(address "$name")" \
    JACKDAW_PASSWORD=secret JACKDAW_SERVER="$(fact address):$(fact port)" JACKDAW_CA_FILE="$(fact ca)" \
    JACKDAW_TIMEOUT=120 "$jackdaw" "$@" </dev/null 2>&1
}

# run NAME WORDS...: the same as a transcript; the lines that it prints in a fixed order, unless in_order is 1
in_order=0
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
  sed -E -e 's/\t+/  /g' -e 's/ *$//' -e 's/^(#[0-9]+ )?([0-9-]{10} )?[0-9]{2}:[0-9]{2} /\110:14 /' -e 's/  ([0-9-]{10} )?[0-9]{2}:[0-9]{2}( |$)/  10:14\2/' \
    "$directory/printed" | if [ "$in_order" = 1 ]; then cat; else LC_ALL=C sort; fi
  if [ "$code" != 0 ]; then echo "(exit code $code)"; fi
}

# transcripts NAME...: runs the functions of these names, each a transcript, and prints them or puts them into the page.
transcripts() {
  for name in "$@"; do
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
}
