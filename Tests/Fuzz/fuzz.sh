#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# fuzz.sh SECONDS: feeds each fuzz target with noise for so long, under the address sanitizer. What was found interesting is
# kept in .build/fuzz and built upon; an input that traps is left there as crash-… and named.
set -euo pipefail
exec </dev/null
cd "$(dirname "$0")/../.."

seconds=$1
work=$PWD/.build/fuzz
mkdir -p "$work"

# build NAME SOURCE-FOLDER...: one module of the target and what it tests
build() {
  local name=$1 sources
  shift
  mapfile -t sources < <(find "$@" -name '*.swift' | sort)
  # The linker has a word about each symbol of the sanitizer that it cannot export.
  swiftc -O -g -parse-as-library -sanitize=fuzzer,address -swift-version 6 -package-name jackdaw -module-name "$name" \
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault \
    -Xcc -I/usr/include/libxml2 -I Sources/CLibXML2 "${sources[@]}" "Tests/Fuzz/$name.swift" -o "$work/$name" \
    2>"$work/$name.log" || { cat "$work/$name.log" >&2; exit 1; }
}

# run NAME: begins with the samples of the repository
run() {
  mkdir -p "$work/$1.corpus"
  echo "== $1, $seconds s"
  (cd "$work" && ASAN_OPTIONS=detect_leaks=0 "./$1" -max_total_time="$seconds" -max_len=4096 -artifact_prefix="$work/crash-$1-" \
    -print_final_stats=1 -verbosity=0 "$1.corpus" "$OLDPWD/Tests/Fuzz/Samples/$1")
}

build DecoderFuzz Sources/JackdawXML
run DecoderFuzz
