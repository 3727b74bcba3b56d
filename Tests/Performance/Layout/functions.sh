#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# functions.sh: writes Sources/Linker/functions.ld, by which the linker puts those functions beside one another that a `send` runs.
# RELEASE_FLAGS: what `swift build` makes jackdaw with. A function that is missing in the file, or that is no more, only
# costs the memory that it lies elsewhere for; so once for a new compiler or much new code is enough.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The symbols stay in, as the program's own release build has none; where each section went is in the map.
read -ra flags <<<"$RELEASE_FLAGS"
swift build "${flags[@]}" -Xlinker -Map="$work/map" </dev/null >"$work/build" 2>&1 || { cat "$work/build" >&2; exit 1; }
cp .build/release/jackdaw "$work/jackdaw"
"$here/patterns.py" addresses "$work/jackdaw" "$work/map" >"$work/addresses"

message="$here/../Message"
compile=("${CC:-cc}" -std=gnu17 -D_GNU_SOURCE -O2 -Wall -Wextra)
"${compile[@]}" -o "$work/measure" "$message"/{measure,server,scram}.c -lssl -lcrypto
read -ra strophe < <(pkg-config --cflags --libs libstrophe)
"${compile[@]}" -o "$work/strophe" "$message/strophe.c" "${strophe[@]}"
"${compile[@]}" -o "$work/executed" "$here/executed.c"
"$here/../../Support/Servers/certificates.sh" "$work" good bench.test

# Stands for jackdaw where the measurement runs it: every way to log in, the first time and later.
cat >"$work/traced" <<END
#!/bin/sh
exec "$work/executed" "$work/addresses" "$work/used" "$work/jackdaw" "\$@"
END
chmod +x "$work/traced"
"$work/measure" "$work/traced" "$work/strophe" "$work" 1 </dev/null >/dev/null
"$here/patterns.py" script "$work/map" "$work/used" >"$work/functions.ld"
mv "$work/functions.ld" Sources/Linker/functions.ld
echo "Sources/Linker/functions.ld: $(grep -c '(\.text' Sources/Linker/functions.ld) patterns"
