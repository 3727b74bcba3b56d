#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# Writes Sources/JackdawTerminal/Escape/ScriptTable.swift from the Unicode data that comes with perl:
#   Tests/Support/Generators/scripts.pl > Sources/JackdawTerminal/Escape/ScriptTable.swift
use strict;
use warnings;
use Unicode::UCD qw(charscripts);

# Han, the kanas, Bopomofo and Hangul are written together, with Latin beside them (UTS 39 5.2): one number.
my %together = map { $_ => 'Han' } qw(Han Hiragana Katakana Bopomofo Hangul);
my %number = (Latin => 1, Han => 2);
my @ranges;
my %scripts = %{ charscripts() };
for my $script (keys %scripts) {
  next if $script eq 'Common' || $script eq 'Inherited' || $script eq 'Unknown';
  push @ranges, map { [ $_->[0], $_->[1], $together{$script} // $script ] } @{ $scripts{$script} };
}
@ranges = sort { $a->[0] <=> $b->[0] } @ranges;
my $next = 3;
for my $range (@ranges) { $number{ $range->[2] } //= $next++ }

# Neighbours of one script become one range; what lies between (marks of no script, unassigned) may be taken in,
# because whoever asks has left out what is no letter.
my @merged;
for my $range (@ranges) {
  if (@merged && $merged[-1][2] eq $range->[2]) { $merged[-1][1] = $range->[1] }
  else { push @merged, [@$range] }
}

my $version = Unicode::UCD::UnicodeVersion();
print <<"HEAD";
// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

// Made by Tests/Support/Generators/scripts.pl from Unicode $version; not to be edited.
// swift-format-ignore-file

/// Which script a letter is of: triples of first scalar, last scalar, number of the script, in rising order. Latin is 1;
/// the scripts of East Asia that are written together are 2.
enum ScriptTable {
  /// The scripts up to this number may stand beside each other in one name.
  static let lastThatMixes: UInt32 = 2

  static let ranges: [UInt32] = [
HEAD
my @words = map { sprintf "0x%X, 0x%X, %d,", $_->[0], $_->[1], $number{ $_->[2] } } @merged;
while (my @row = splice @words, 0, 5) { print "    @row\n" }
print "  ]\n}\n";
