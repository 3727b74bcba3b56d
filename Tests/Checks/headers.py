# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""Each file of ours names its licence and its owners in its first lines."""

import os

from sources import finish, read, root, tree

WANTED = ("SPDX-License-Identifier: GPL-3.0-or-later", "SPDX-FileCopyrightText: 2026 The Jackdaw authors")
SUFFIXES = (".swift", ".h", ".c", ".sh", ".bash", ".py", ".lua")


def main():
    base = root()
    files = tree(base, *SUFFIXES)
    files += [path for path in tree(base) if os.path.basename(path) == "Makefile" or path.startswith(".ci/")]
    complaints = []
    for path in sorted(set(files)):
        head = "\n".join(read(base, path).split("\n")[:4])
        complaints += [f"{path}: lacks '{line}' in its first lines" for line in WANTED if line not in head]
    finish("headers", complaints)


main()
