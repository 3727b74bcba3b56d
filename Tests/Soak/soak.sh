#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# soak.sh JACKDAW small|long: the soak as `make test` and as `make soak` run it. One that fails keeps no other from running.
# soak.py takes options for all of it.
set -euo pipefail

jackdaw=$1
failed=0
soak() { python3 -B "$(dirname "$0")/soak.py" "$jackdaw" "$@" || failed=1; }
case $2 in
  small)
    soak --server prosody --messages 10000 --cuts 200 --kills 50 --stops 10 --restarts 3 --seed 31
    soak --server cluster --messages 600 --cuts 15 --kills 5 --stops 2 --restarts 2 --seed 31
    ;;
  long)
    soak --server prosody --messages 40000 --cuts 800 --kills 200 --stops 40 --restarts 12
    # ejabberd looks through the whole archive for each page of it.
    soak --server ejabberd --messages 5000 --cuts 120 --kills 35 --stops 10 --restarts 4
    soak --server cluster --messages 2000 --cuts 50 --kills 15 --stops 5 --restarts 6
    ;;
  *)
    echo "soak.sh: '$2' is neither small nor long" >&2
    exit 64
    ;;
esac
exit "$failed"
