#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# soak.sh JACKDAW small|long: the soak as `make test` and as `make soak` run it. soak.py takes options for all of it.
set -euo pipefail

jackdaw=$1
soak=(python3 -B "$(dirname "$0")/soak.py" "$jackdaw")
case $2 in
  small) "${soak[@]}" --server prosody --messages 2000 --cuts 40 --kills 12 --stops 3 --restarts 1 --seed 31 ;;
  long)
    for server in prosody ejabberd; do
      "${soak[@]}" --server "$server" --messages 20000 --cuts 600 --kills 150 --stops 40 --restarts 12
    done
    ;;
  *)
    echo "soak.sh: '$2' is neither small nor long" >&2
    exit 64
    ;;
esac
