# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""What every check does: walk the tree it is given, collect complaints, print them, and fail if there are any."""

import os
import re
import sys

SKIPPED = {".git", ".build", "node_modules", "__pycache__"}


def tree(root, *suffixes, under=("",)):
    """The files below root (in the folders named) that end with one of the suffixes, as paths relative to root."""
    found = []
    for start in under:
        for folder, folders, files in os.walk(os.path.join(root, start)):
            folders[:] = sorted(f for f in folders if f not in SKIPPED and not f.startswith(".build"))
            for name in sorted(files):
                if not suffixes or name.endswith(suffixes):
                    found.append(os.path.relpath(os.path.join(folder, name), root))
    return found


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
        return file.read()


def without_comments(text, strings=False):
    """Swift text with its comments (and its string literals' contents, if asked) made blank; lines stay where they are."""
    # Multi-line strings first, then strings, then comments: the first that matches at a place wins.
    pattern = re.compile(r'("""(?:\\.|.)*?""")|("(?:\\.|[^"\\\n])*")|(//[^\n]*)|(/\*.*?\*/)', re.DOTALL)

    def blank(match):
        if match.group(1) or match.group(2):
            return '""' + re.sub(r"[^\n]", "", match.group(0)) if strings else match.group(0)
        return re.sub(r"[^\n]", " ", match.group(0))

    return pattern.sub(blank, text)


def finish(name, complaints):
    """Prints what is wrong and ends with 1, or says that nothing is."""
    for complaint in complaints:
        print(complaint)
    if complaints:
        print(f"{name}: {len(complaints)} found")
        sys.exit(1)
    print(f"{name}: right")


def root():
    """The tree to check: the first argument, or this repository."""
    if len(sys.argv) > 1:
        return sys.argv[1]
    return os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
