#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# soak.sh JACKDAW small|long: the soak as `make test` and as `make soak` run it. One that fails keeps no other from running.
# soak.py takes options for all of it.
set -euo pipefail

jackdaw=$1
failed=0
soak() { /usr/bin/python3 -B "$(dirname "$0")/soak.py" "$jackdaw" "$@" || failed=1; }
case $2 in
  small)
    soak --server prosody --messages 6000 --room-messages 600 --cuts 90 --kills 20 --stops 5 --restarts 3 \
      --leaves 16 --locks 4 --holds 6 --blocks 3 --changes 3 --commands 20 --bot-kills 4 --seed 31
    soak --server cluster --messages 600 --cuts 12 --kills 4 --stops 1 --restarts 2 \
      --leaves 12 --locks 1 --holds 2 --blocks 1 --changes 1 --commands 6 --bot-kills 1 --seed 31
    ;;
  long)
    soak --server prosody --messages 40000 --room-messages 4000 --cuts 700 --kills 150 --stops 40 --restarts 12 \
      --leaves 96 --locks 20 --holds 30 --blocks 20 --changes 20 --commands 150 --bot-kills 40
    soak --server sasl2 --agent --messages 10000 --room-messages 1000 --cuts 200 --kills 50 --stops 10 --restarts 6 \
      --leaves 32 --locks 6 --holds 8 --blocks 6 --changes 6 --commands 100 --bot-kills 10
    # ejabberd looks through the whole archive for each page of it.
    soak --server ejabberd --messages 5000 --cuts 100 --kills 25 --stops 8 --restarts 4 \
      --leaves 24 --locks 4 --holds 6 --blocks 4 --changes 4 --commands 30 --bot-kills 6
    soak --server cluster --messages 2000 --cuts 45 --kills 12 --stops 4 --restarts 6 \
      --leaves 16 --locks 2 --holds 4 --blocks 2 --changes 2 --commands 16 --bot-kills 3
    ;;
  *)
    echo "soak.sh: '$2' is neither small nor long" >&2
    exit 64
    ;;
esac
exit "$failed"
