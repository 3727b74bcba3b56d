# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""A collection that grows where others may fill it says what bounds it: its file compares its count with something, or its
documentation says `Bounded by …`.

Looked at are stored properties that begin empty, in the modules that take what comes from the network.
"""

import re

from sources import finish, read, root, tree, without_comments

MODULES = ("JackdawXML", "JackdawProtocol", "JackdawTransport", "JackdawSession", "JackdawCommands", "JackdawTerminal")

PROPERTY = re.compile(
    r"^  (?:@\w+ )*(?:\w+(?:\(set\))? )*var (\w+)(?:: [^=\n]+)? = (?:\[\]|\[:\]|Set<[^\n]*>\(\)|\[[^\]\n]+\]\(\))", re.MULTILINE)


def grows(name, text):
    place = r"(?:\[[^\]\n]*\])?"
    return re.search(rf"\b{name}{place}(?:\.append\(|\.insert\(|\.formUnion\(| \+= )|\b{name}\[[^\]\n]*\] = (?!nil\b)", text)


def is_compared(name, text):
    return re.search(rf"\b{name}(?:\[[^\]\n]*\]\??)?\.count\b", text)


def documentation(lines, number):
    """The doc comment in front of a line, its remark included."""
    found = []
    while number > 0 and lines[number - 1].lstrip().startswith("///"):
        number -= 1
        found.append(lines[number])
    return "\n".join(found)


def main():
    base = root()
    complaints = []
    for path in tree(base, ".swift", under=tuple(f"Sources/{module}" for module in MODULES)):
        text = read(base, path)
        lines = text.split("\n")
        code = without_comments(text)
        for match in PROPERTY.finditer(code):
            name = match.group(1)
            number = code.count("\n", 0, match.start())
            if not grows(name, code) or is_compared(name, code) or "Bounded by" in documentation(lines, number):
                continue
            complaints.append(f"{path}:{number + 1}: nothing says what bounds '{name}'")
    finish("bounds", complaints)


main()
