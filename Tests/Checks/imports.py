# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""The import graph: what each module of Sources may import (the table of Docs/ARCHITECTURE.md), and no more."""

import re

from sources import finish, read, root, tree, without_comments

ALLOWED = {
    "CArguments": set(),
    "CLibXML2": {"CLateLibrary"},
    "COpenSSL": {"CLateLibrary"},
    "CLateLibrary": set(),
    "CReadline": {"CLateLibrary"},
    "CSQLite": {"CLateLibrary"},
    "CResolv": set(),
    "CIDN2": {"CLateLibrary"},
    "CMarkup": set(),
    "CPrctl": set(),
    "CSpawn": set(),
    "CTimerFD": set(),
    "CQREncode": {"CLateLibrary"},
    "CRE2": set(),
    "JackdawLoop": {"CPrctl", "CSpawn", "CTimerFD"},
    "JackdawXML": {"CLibXML2", "CMarkup"},
    "JackdawHosts": set(),
    "JackdawTransport": {"JackdawLoop", "JackdawHosts", "COpenSSL", "CResolv"},
    "JackdawProtocol": {"JackdawXML", "JackdawHosts", "CIDN2"},
    "JackdawSession": {"JackdawLoop", "JackdawXML", "JackdawHosts", "JackdawTransport", "JackdawProtocol"},
    "JackdawStore": {"JackdawLoop", "JackdawHosts", "JackdawProtocol", "JackdawSession", "CSQLite"},
    "JackdawCommands": {
        "JackdawLoop", "JackdawXML", "JackdawHosts", "JackdawTransport", "JackdawProtocol", "JackdawSession", "CRE2",
        "ArgumentParser", "TOMLKit",
    },
    "JackdawTerminal": {
        "JackdawLoop", "JackdawProtocol", "JackdawSession", "JackdawCommands", "CReadline", "CQREncode",
    },
    "jackdaw": {
        "JackdawLoop", "JackdawXML", "JackdawTransport", "JackdawProtocol", "JackdawSession", "JackdawStore",
        "JackdawCommands", "JackdawTerminal", "CArguments", "ArgumentParser",
    },
}

# The standard library's own modules know nothing of the machine. Glibc does: JackdawProtocol may not see it at all, and
# JackdawXML has it for memcmp and alike.
STANDARD = {"Synchronization", "Swift", "_Concurrency"}
SYSTEM = {"Glibc"}
WITHOUT_SYSTEM = {"JackdawProtocol"}

# One file may see what its module may not.
EXCEPTIONS = {
    "Sources/JackdawProtocol/SASL/SCRAMCrypto.swift": {"COpenSSL"},
}

# Dates, files and the like where nothing else will do, off the hot path; each file with its reason.
FOUNDATION_ESSENTIALS = {
}

IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+"
    r"(?:(?:struct|class|enum|protocol|typealias|func|var|let)\s+)?(\w+)", re.MULTILINE)


def main():
    base = root()
    complaints = []
    for path in tree(base, ".swift", under=("Sources",)):
        module = path.split("/")[1]
        if module not in ALLOWED:
            complaints.append(f"{path}: the module {module} is not in the table of Tests/Checks/imports.py")
            continue
        text = without_comments(read(base, path), strings=True)
        for match in IMPORT.finditer(text):
            name = match.group(1)
            line = text.count("\n", 0, match.start(1)) + 1
            allowed = ALLOWED[module] | STANDARD | EXCEPTIONS.get(path, set())
            if module not in WITHOUT_SYSTEM:
                allowed = allowed | SYSTEM
            if path in FOUNDATION_ESSENTIALS:
                allowed = allowed | {"FoundationEssentials"}
            if name not in allowed:
                complaints.append(f"{path}:{line}: {module} may not import {name}")
    finish("imports", complaints)


main()
