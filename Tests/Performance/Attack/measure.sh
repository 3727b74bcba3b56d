#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# measure.sh JACKDAW: what somebody at the prompt notices while strangers flood them, on a private Prosody: see attack.py.
set -euo pipefail
. "$(dirname "$0")/../goals.sh"

/usr/bin/python3 -B "$here/attack.py" "$jackdaw" "$here/../../Support" "$work" </dev/null | tee "$work/figures"
while read -r flood; do
  judge "$work/figures" "${flood}_private_memory_mb" most 64 128 "$flood: private memory at its peak in MB"
  judge "$work/figures" "${flood}_key_ms" most 100 1000 "$flood: a typed key on the screen after ms, at worst"
  judge "$work/figures" "${flood}_message_s" most 5 20 "$flood: a message of the user's at its reader after s"
  judge "$work/figures" "${flood}_presence_s" most 5 20 "$flood: a friend's presence on the screen after s"
  judge "$work/figures" "${flood}_database_mb" most 32 64 "$flood: the data folder in MB"
done < <(sed -n 's/_key_ms .*//p' "$work/figures")
verdict
