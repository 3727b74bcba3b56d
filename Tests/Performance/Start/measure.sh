#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# measure.sh JACKDAW: the processor's time from the start to the prompt, with nothing but an account in the environment:
# no configuration, no data, nobody at the server's port. ROUNDS=60.
set -euo pipefail
jackdaw=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../goals.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"${CC:-cc}" -std=gnu17 -D_GNU_SOURCE -O2 -Wall -Wextra -o "$work/prompt" "$here/prompt.c"
# Port 9 of an address of the loopback network where nothing listens.
env -i PATH="$PATH" HOME="$work" TERM=xterm-256color LANG=C.UTF-8 JACKDAW_DATA_DIR="$work/data" \
  JACKDAW_CONFIG="$work/none.toml" JACKDAW_JID=alice@bench.test JACKDAW_PASSWORD=unused JACKDAW_SERVER=127.0.0.99:9 \
  "$work/prompt" "${ROUNDS:-60}" "$jackdaw" </dev/null | tee "$work/figures"
judge "$work/figures" prompt_processor_ms most 10 15 "processor's milliseconds until the prompt"
verdict
