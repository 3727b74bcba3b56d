# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""Rules that the formatter does not know: length of files, nothing left for later, traps, locks and file names."""

import os
import re

from sources import finish, read, root, tree, without_comments

LONGEST = 400

# Path -> why it may be longer.
LONG = {
}

# A stem that says nothing about what is in the file.
EMPTY_NAMES = re.compile(r"(^|[+/])(Utils?|Utilities|Common|Helpers?|Misc|New|Base|Extensions)(\.swift$|\+)")

LATER = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")

# What is wrong -> (pattern, where it holds, where it does not)
FORBIDDEN = {
    "try! traps on what the peer or the machine does": (r"\btry!", "Sources/", ()),
    "as! traps": (r"\bas!", "Sources/", ()),
    "@unchecked Sendable is for the loop alone": (r"@unchecked\s+Sendable", "Sources/", ("Sources/JackdawLoop/",)),
    "a variable that any thread may change is for the loop alone": (r"nonisolated\(unsafe\)\s+(?:private\s+|static\s+)*var\b", "Sources/", ("Sources/JackdawLoop/", "Sources/jackdaw/Jackdaw.swift")),
    "locks are for the loop alone": (r"\b(Mutex|NSLock|pthread_mutex_\w+|DispatchQueue)\b", "Sources/", ("Sources/JackdawLoop/",)),
    "Task.detached leaves the loop": (r"\bTask\.detached\b", "Sources/", ()),
    "Task.sleep wakes another thread: use the loop's clock": (r"\bTask\.sleep\b", "Sources/", ()),
    "a test is named by a sentence in quotation marks": (r"@Test\b(?!\(\s*\"\")", "Tests/", ()),
    "fatalError is no way to treat a peer, and a contract is to be fulfilled": (r"\bfatalError\(", "Sources/", ()),
}

# What no text of the program says: words of a translation, and of no chat program. What is wrong -> pattern, within a string literal.
UNPLAIN = {
    "say what may be used instead": r"exclude each other|\bis none of\b",
    "say 'is not a …'": r"(?<![Tt]here )\bis no (?!longer\b|such\b)[a-z]+",
    "say who does what": r"\bnames no\b|\bgives out\b|\bis meant\b|\bbroken off\b|\bbroke TLS\b",
    "say what happened, not for whose reason": r"\bnobody said why\b|\breason of its own\b|\brule of its own\b",
}

# What people read of an error or a remark: each begins a sentence and ends it.
TOLD = re.compile(r"(?<!func )\b(?:violate|violation|StreamFailure|ConnectionError|TransportError|RequestError|FeatureError|CommandFailure|remark|detail)\(")
STRING = re.compile(r'"((?:[^"\\\n]|\\\((?:[^()\n]|\([^()\n]*\))*\)|\\.)*)"')


def told(code):
    """Where something is told, and the string literals that stand in it by themselves, as (line, text)."""
    for match in TOLD.finditer(code):
        depth, place = 1, match.end()
        while depth and place < len(code):
            literal = STRING.match(code, place)
            if literal:
                # A part of a longer text, a label, a key or a word for programs is no sentence.
                before, after = code[:place].rstrip()[-1:], code[literal.end():].lstrip()[:1]
                if depth == 1 and before in "(,:?" and after in "),:" and " " in literal.group(1):
                    yield code.count("\n", 0, place) + 1, literal.group(1)
                place = literal.end()
                continue
            depth += {"(": 1, ")": -1}.get(code[place], 0)
            place += 1


def unfinished(text):
    """What is wrong with a sentence, or None. One that ends with a command to type has no full stop, nor one whose end is filled in."""
    if re.match(r"[a-z]+[ ,]", text) and not re.match(r"line \\\(", text):
        return "a sentence begins with a capital letter"
    if re.search(r"[a-z']$", text) and not re.search(r": (/|'--)", text):
        return "a sentence ends with a full stop"
    return None


def main():
    base = root()
    complaints = []
    for path in tree(base, ".swift", ".h", ".c", ".sh", ".py", under=("Sources", "Tests", ".ci")):
        text = read(base, path)
        count = text.count("\n")
        if count > LONGEST and path not in LONG:
            complaints.append(f"{path}: {count} lines, more than {LONGEST}: split it, or give a reason in Tests/Checks/style.py")
        if EMPTY_NAMES.search(path):
            complaints.append(f"{path}: its name does not say what is in it")
        if not path.startswith("Tests/Checks/"):
            for number, line in enumerate(text.split("\n"), 1):
                if LATER.search(line):
                    complaints.append(f"{path}:{number}: left for later: {line.strip()}")
        if path.endswith(".swift"):
            code = without_comments(text, strings=True)
            for reason, (pattern, where, exceptions) in FORBIDDEN.items():
                if path.startswith(where) and not path.startswith(tuple(exceptions) or ("\0",)):
                    for match in re.finditer(pattern, code):
                        complaints.append(f"{path}:{code.count(chr(10), 0, match.start()) + 1}: {reason}")
            if path.startswith("Sources/"):
                for number, text_told in told(without_comments(text)):
                    wrong = unfinished(text_told)
                    if wrong:
                        complaints.append(f"{path}:{number}: {wrong}: {text_told}")
                for number, line in enumerate(without_comments(text).split("\n"), 1):
                    for reason, pattern in UNPLAIN.items():
                        if "preconditionFailure" not in line and re.search(r'"[^"]*(?:' + pattern + ")", line):
                            complaints.append(f"{path}:{number}: no plain words, {reason}: {line.strip()}")
    finish("style", complaints)


main()
