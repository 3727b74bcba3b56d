# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# Sourced by the measure.sh scripts, which are given the built jackdaw: sets `jackdaw`, `here`, the folder of the measurement, and `work`, a
# folder that goes with the script. `judge` sets each figure beside its goal; `verdict` ends the script, not well when a
# goal was missed by far. A little is what a busy machine does to a measurement.

jackdaw=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The kernel counts a file's pages as written by the process until they are on the disk.
sync "$jackdaw"

missed_by_far=0

# judge OUTPUT NAME least|most GOAL FAR WORDS: finds the line `NAME VALUE` in the file OUTPUT. The goal is reached when the
# value is at least (at most) GOAL; beyond FAR it is missed by far. With RECORD, a folder, the figure goes to its figures.tsv too.
judge() {
  local value
  value=$(awk -v name="$2" '$1 == name { print $2 }' "$1")
  [ -n "$value" ] || { echo "No figure $2" >&2; missed_by_far=1; return; }
  [ -z "${RECORD:-}" ] ||
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$(basename "$here")" "$2" "$3" "$4" "$value" "$6" >>"$RECORD/figures.tsv"
  awk -v value="$value" -v kind="$3" -v goal="$4" -v far="$5" -v words="$6" 'BEGIN {
    sign = kind == "least" ? 1 : -1
    reached = sign * value >= sign * goal
    isFar = sign * value < sign * far
    printf "   %s: %s (goal: at %s %s) %s\n", words, value, kind, goal, reached ? "reached" : isFar ? "MISSED BY FAR" : "missed"
    exit isFar
  }' || missed_by_far=1
}

verdict() { exit "$missed_by_far"; }
