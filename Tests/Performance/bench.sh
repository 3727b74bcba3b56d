#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# bench.sh JACKDAW: runs every measurement, each beside the peer it is measured against. A measurement is a program
# `measure.sh` in a folder of its own here, given the built jackdaw; it prints its figures and fails when one misses its goal.
# RELEASE_FLAGS: what `swift build` made jackdaw with; those measurements that build something use the same.
set -euo pipefail
exec </dev/null

jackdaw=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
failed=()
for measurement in "$here"/*/measure.sh; do
  name=$(basename "$(dirname "$measurement")")
  echo "== $name"
  "$measurement" "$jackdaw" || failed+=("$name")
done
if [ ${#failed[@]} -gt 0 ]; then
  echo "Goals missed: ${failed[*]}" >&2
  exit 1
fi
