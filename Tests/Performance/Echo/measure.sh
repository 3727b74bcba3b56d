#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# measure.sh JACKDAW: how long a typed key takes to the screen while 20,000 messages (COUNT) of a friend arrive, beside Profanity; and
# the processor's time from the start to the prompt with a contact list of 1,000 and a million messages (STORED).
set -euo pipefail
. "$(dirname "$0")/../goals.sh"

/usr/bin/python3 -B "$here/echo.py" "$jackdaw" "$here/../../Support" "$work" "${COUNT:-20000}" </dev/null | tee "$work/figures"
profanity=$(awk '$1 == "profanity_p99_ms" { print $2 }' "$work/figures")
# Fewer, and the figure says nothing.
judge "$work/figures" jackdaw_keys least 100 100 "keys typed meanwhile"
judge "$work/figures" jackdaw_p99_ms most 10 50 "a typed key on the screen after ms, 99 of 100 (Profanity: $profanity)"
verdict
