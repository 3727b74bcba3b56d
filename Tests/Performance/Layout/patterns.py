#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""What functions.sh needs to know of the linker's map.

patterns.py addresses PROGRAM MAP: where functions begin: those with a symbol, and those with a section of their own.
patterns.py script MAP USED: a linker script that puts the sections with the addresses in the file USED in one place.
"""

import bisect
import collections
import re
import subprocess
import sys

# Bytes of functions not wanted that are put up with for one line less.
LINE = 300

HEAD = """/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors
 *
 * Written by `make layout`. For ld.bfd, besides its own script: the functions that a `send` runs lie side by side, so
 * that the pages that it needs of the program hold little else. */
SECTIONS
{
  .text.used :
  {
"""
FOOT = """  }
}
INSERT BEFORE .text;
"""


def sections(path):
    """(address, size, name) of each function's own section, in order."""
    found, name, in_map = [], None, False
    for line in open(path, encoding="utf-8"):
        in_map = in_map or line.startswith("Linker script and memory map")
        if not in_map:
            continue
        # A long name has the rest on the next line.
        begin = re.match(r" (\.text\.\S+)(.*)", line)
        if begin:
            name, line = begin[1], begin[2]
        rest = re.match(r"\s+0x([0-9a-f]+)\s+0x([0-9a-f]+) \S", line)
        if name and rest:
            found.append((int(rest[1], 16), int(rest[2], 16), name))
        if not begin or rest:
            name = None
    return sorted(section for section in found if section[1] > 0)


def addresses(program, path):
    symbols = subprocess.run(["readelf", "-sW", program], capture_output=True, text=True, check=True).stdout
    starts = {address for address, _, _ in sections(path)}
    for line in symbols.splitlines():
        words = line.split()
        if len(words) > 6 and words[3] == "FUNC" and words[6] != "UND":
            starts.add(int(words[1], 16))
    for address in sorted(starts):
        print(f"{address:x}")


def cover(names, used, sizes, depth=0):
    """(cost, patterns): the cheapest patterns that match all those of the sorted `names` that are used. All begin with the
    same `depth` characters. A pattern costs LINE, and what it matches in vain."""
    if not any(name in used for name in names):
        return 0, []
    if len(names) == 1:
        return LINE, names
    first, last = names[0], names[-1]
    while depth < len(first) and first[depth] == last[depth]:
        depth += 1
    cost, patterns, start = 0, [], 0
    while start < len(names):
        # A name that ends here is a group of its own.
        letter, end = names[start][depth : depth + 1], start
        while end < len(names) and names[end][depth : depth + 1] == letter:
            end += 1
        group = cover(names[start:end], used, sizes, depth + 1)
        cost, patterns, start = cost + group[0], patterns + group[1], end
    together = LINE + sum(sizes[name] for name in names if name not in used)
    return (together, [first[:depth] + "*"]) if together <= cost else (cost, patterns)


def script(path, used_path):
    every = sections(path)
    starts = [address for address, _, _ in every]
    sizes, used = collections.Counter(), set()
    for _, size, name in every:
        sizes[name] += size
    for line in open(used_path, encoding="utf-8"):
        address = int(line, 16)
        index = bisect.bisect_right(starts, address) - 1
        if index >= 0 and address < every[index][0] + every[index][1]:
            used.add(every[index][2])
    _, patterns = cover(sorted(sizes), used, sizes)
    print(HEAD + "".join(f"    *({pattern})\n" for pattern in patterns) + FOOT, end="")


if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    {"addresses": addresses, "script": script}[sys.argv[1]](*sys.argv[2:])
