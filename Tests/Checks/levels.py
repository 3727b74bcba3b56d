# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""The levels inside JackdawSession (the table of Docs/ARCHITECTURE.md): no folder names a type of a later level, and none is in a
cycle with another."""

import collections
import re

from sources import finish, read, root, tree, without_comments

MODULE = "Sources/JackdawSession"

LEVELS = (
    {"Model"},
    {"Requests", "Events", "Routing", "Discovery", "Stream", "Log", "Delivery", "Intake", "Connection"},
    {"FeatureAPI"},
    {"Friends", "Presence", "Conversations", "Groupchat"},
    {"Features"},
    {"Session"},
)

TYPE = re.compile(r"^([ \t]*)(?:@\w+(?:\([^)]*\))?\s+|\w+\s+)*?(?:struct|class|enum|protocol|actor|typealias)\s+([A-Z]\w*)", re.MULTILINE)
# What stands behind a full stop is a type within another one, which is named before it.
NAME = re.compile(r"(?<![.\w])[A-Z]\w*")


def main():
    base = root()
    complaints = []
    level = {folder: number for number, folders in enumerate(LEVELS) for folder in folders}
    texts, inner, owner = {}, collections.defaultdict(set), {}
    for path in tree(base, ".swift", under=(MODULE,)):
        parts = path[len(MODULE) + 1:].split("/")
        if len(parts) == 1 or parts[0] not in level:
            complaints.append(f"{path}: it stands in no folder of the levels in Tests/Checks/levels.py")
            continue
        texts[path] = without_comments(read(base, path), strings=True)
        for indentation, name in TYPE.findall(texts[path]):
            if indentation:
                inner[path].add(name)
            else:
                owner.setdefault(name, parts[0])
    named = collections.defaultdict(dict)
    for path, text in texts.items():
        folder = path[len(MODULE) + 1:].split("/")[0]
        for name in sorted(set(NAME.findall(text)) - inner[path]):
            other = owner.get(name, folder)
            if other == folder:
                continue
            named[folder].setdefault(other, (path, name))
            if level[other] > level[folder]:
                complaints.append(f"{path}: {folder} may not name {name} of {other}, which is of a later level")
    for folder in sorted(named):
        for other in sorted(named[folder]):
            if folder < other and level[folder] == level[other] and reaches(other, folder, named):
                path, name = named[folder][other]
                complaints.append(f"{path}: {folder} and {other} are in a cycle; here by {name}")
    finish("levels", complaints)


def reaches(start, end, named):
    """Whether `start` names types of `end`, itself or by way of other folders."""
    seen, waiting = set(), [start]
    while waiting:
        folder = waiting.pop()
        if folder == end:
            return True
        if folder not in seen:
            seen.add(folder)
            waiting += named.get(folder, ())
    return False


main()
