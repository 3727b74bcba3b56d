#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# bench.sh JACKDAW [MEASUREMENT...]: runs every measurement, or those, each beside the peer it is measured against. A measurement is a program
# `measure.sh` in a folder of its own here, given the built jackdaw; it prints its figures and fails when one misses its goal.
# RECORD: a folder for what report.py makes a report of.
# RELEASE_FLAGS: what `swift build` made jackdaw with; those measurements that build something use the same.
set -euo pipefail
exec </dev/null

jackdaw=$(realpath "$1")
shift
here=$(cd "$(dirname "$0")" && pwd)
failed=()
if [ -n "${RECORD:-}" ]; then
  mkdir -p "$RECORD"
  RECORD=$(realpath "$RECORD")
  export RECORD
  rm -f "$RECORD"/*.tsv
fi
if [ $# -eq 0 ]; then
  cd "$here"
  set -- */
fi
for name in "$@"; do
  name=${name%/}
  [ -x "$here/$name/measure.sh" ] || continue
  echo "== $name"
  "$here/$name/measure.sh" "$jackdaw" || failed+=("$name")
done
if [ ${#failed[@]} -gt 0 ]; then
  echo "Goals missed: ${failed[*]}" >&2
  exit 1
fi
