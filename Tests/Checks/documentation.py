# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""Each `package` or `public` declaration of Sources has a doc comment, no doc comment names a parameter that its declaration lacks,
each link and each file of code that the documents name is there, and Docs/SERVERS.md lists each file that does something about one
server's ways.

No doc comment is needed by a declaration that fulfils a protocol which documents it (one of ours, or INHERITED), by an initialiser
that only stores its arguments in properties of their names, and by the further lines of a block of properties or cases of one
line each, whose first is documented.
"""

import os
import re

from sources import finish, read, root, tree

DECLARATION = re.compile(
    r"^\s*(?:@[\w.]+(?:\([^)]*\))?\s+)*"
    r"(?:(?:static|class|final|nonisolated(?:\(unsafe\))?|mutating|override|convenience|required|indirect|lazy|weak"
    r"|consuming|borrowing|isolated|internal\(set\)|private\(set\)|fileprivate\(set\))\s+)*"
    r"(?:package|public|open)\s+(?!import\b)(?!\(set\))"
    r"(?:(?:static|class(?!\s+\w+\s*[:{<])|final|nonisolated(?:\(unsafe\))?|mutating|override|convenience|required|indirect|lazy|weak"
    r"|consuming|borrowing|isolated|internal\(set\)|private\(set\)|fileprivate\(set\))\s+)*"
    r"(actor|associatedtype|case|class|enum|extension|func|init|let|macro|operator|protocol|struct|subscript|typealias|var)\b"
    r"\s*[?(]*\s*([\w`]+|[-+*/=<>!&|^~%.]+)?")

# Members that the standard library's protocols document.
INHERITED = {
    "description", "debugDescription", "==", "<", "hash", "encode", "rawValue", "errorDescription", "id", "startIndex",
    "endIndex", "makeIterator", "next", "unownedExecutor", "asUnownedSerialExecutor", "asUnownedTaskExecutor",
    "allCases", "configuration", "CodingKeys", "enqueue", "validate",
}

ONE_LINE = re.compile(r"^\s*(?:@\w+\s+)*(?:package|public)\s+(?:static\s+)?(?:let|var|case)\b[^{]*(?:\{[^{}]*\})?\s*$")
STORED = re.compile(r"^\s*self\.(\w+) = \1$")

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


PROTOCOL = re.compile(r"^(?:@\w+\s+)*(?:package|public)\s+protocol\s+\w+[^{]*\{(.*?)^\}", re.MULTILINE | re.DOTALL)
REQUIREMENT = re.compile(r"///[^\n]*\n\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:static\s+|mutating\s+|nonisolated\s+)*(?:func|var)\s+(\w+)")


def required(base):
    """The names of members that our own protocols document: those who fulfil them need not say it again."""
    found = set()
    for path in tree(base, ".swift", under=("Sources",)):
        for body in PROTOCOL.findall(read(base, path)):
            found |= set(REQUIREMENT.findall(body))
    return found


def undocumented(base):
    complaints = []
    inherited = INHERITED | required(base)
    for path in tree(base, ".swift", under=("Sources",)):
        lines = read(base, path).split("\n")
        for index, line in enumerate(lines):
            match = DECLARATION.match(line)
            if not match or match.group(1) == "extension" or match.group(2) in inherited:
                continue
            if match.group(1) == "init" and only_stores(lines, index):
                continue
            if match.group(1) == "var" and is_argument(lines, index):
                continue
            above = index - 1
            if ONE_LINE.match(line):
                while above >= 0 and ONE_LINE.match(lines[above]):
                    above -= 1
            while above >= 0 and re.match(r"^\s*(@|#if|#else|#endif)", lines[above]):
                above -= 1
            if above < 0 or not re.match(r"^\s*///|.*\*/\s*$", lines[above]):
                complaints.append(f"{path}:{index + 1}: {match.group(1)} {match.group(2) or ''} lacks a doc comment")
    return complaints


def is_argument(lines, index):
    """A property of a command, whose help says what it is."""
    text = "\n".join(lines[max(0, index - 8):index + 1])
    # The wrapper that stands last before it, with nothing but its own arguments between.
    return re.search(r"@(?:Argument|Option|Flag|OptionGroup)\b(?!.*\b(?:var|let|func)\b.*\n)[^@]*$", text, re.DOTALL) is not None


def only_stores(lines, index):
    """The initialiser that begins there does nothing but `self.name = name`."""
    text = ""
    for line in lines[index:index + 60]:
        text += line + "\n"
        if text.count("{") and text.count("{") == text.count("}"):
            break
    body = re.split(r"\)\s*(?:throws(?:\(\w+\))?\s*)?\{", text, maxsplit=1)[-1].rsplit("}", 1)[0]
    statements = [part.strip() for part in re.split(r"[;\n]", body) if part.strip()]
    return all(STORED.match(statement) for statement in statements)


PARAMETER = re.compile(r"^\s*///\s*- Parameter\s+`?(\w+)`?\s*:")
PARAMETERS = re.compile(r"^\s*///(\s*)- Parameters:")
ITEM = re.compile(r"^\s*///(\s*)- `?(\w+)`?\s*:")
ANNOTATION = re.compile(r"^\s*(?:@\w+(?:\([^()]*\))?\s*)+$|^\s*(?://(?!/)|#if|#else|#endif)")


def unknown_parameters(base):
    """What `- Parameter x:` and `- Parameters:` name is a parameter of the declaration below."""
    complaints = []
    for path in tree(base, ".swift", under=("Sources", "Tests")):
        lines = read(base, path).split("\n")
        named = []
        depth = None
        for index, line in enumerate(lines):
            if re.match(r"^\s*///", line):
                one, several, item = PARAMETER.match(line), PARAMETERS.match(line), ITEM.match(line)
                if several:
                    depth = len(several.group(1))
                elif one:
                    named.append((index, one.group(1)))
                elif item and depth is not None and len(item.group(1)) > depth:
                    named.append((index, item.group(2)))
                elif item:
                    depth = None
                continue
            if named and ANNOTATION.match(line):
                continue
            known = parameters(lines, index) if named else set()
            for place, name in named:
                if name not in known:
                    complaints.append(f"{path}:{place + 1}: the declaration has no parameter {name}")
            named, depth = [], None
    return complaints


def parameters(lines, index):
    """The names that the parameters of the declaration have inside it: `b` of `a b: Int`. Of a closure, those that its type gives."""
    text = ""
    for line in lines[index:index + 60]:
        text += re.sub(r'"(?:[^"\\]|\\.)*"', '""', line) + "\n"
        if "(" in text and text.count("(") == text.count(")"):
            break
    is_function = re.search(r"\b(?:func|init|subscript)\b", text.partition("(")[0])
    depth, own = 0, ""
    for character in text[text.find("("):]:
        depth += (character in "([{") - (character in ")]}")
        if depth == 0:
            break
        # What a parameter that is a function calls its own parameters is no parameter of this one.
        own += character if depth == 1 or not is_function else " "
    return set(re.findall(r"(\w+)`?\s*:", own))


def anchors(text):
    found = set()
    for heading in re.findall(r"^#+\s+(.*)$", text, re.MULTILINE):
        plain = re.sub(r"[^\w\s-]", "", heading.replace("`", "")).strip().lower()
        found.add(re.sub(r"\s", "-", plain))
    return found


def broken_links(base):
    complaints = []
    for path in tree(base, ".md"):
        text = re.sub(r"```.*?```", "", read(base, path), flags=re.DOTALL)
        for target in LINK.findall(text):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            file = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
            if not os.path.exists(os.path.join(base, file)):
                complaints.append(f"{path}: the link {target} leads nowhere")
            elif anchor and file.endswith(".md") and anchor not in anchors(read(base, file)):
                complaints.append(f"{path}: {file} has no heading for #{anchor}")
    return complaints


def missing_files(base):
    """Files of code that the text names by the end of their paths: `Routing/Router.swift`."""
    known = tree(base, ".swift", ".py", ".sh")
    complaints = []
    for path in tree(base, ".md"):
        text = re.sub(r"```.*?```", "", read(base, path), flags=re.DOTALL)
        for name in re.findall(r"`([\w/.+-]+\.(?:swift|py|sh))`", text):
            if not any(file == name or file.endswith("/" + name) for file in known):
                complaints.append(f"{path}: there is no {name}")
    return complaints


# Software whose ways are named where something is done about them. Addresses of namespaces name nobody's ways.
SERVER = re.compile(r"\b(?:prosody|ejabberd|biboumi)\b(?!\.im)", re.IGNORECASE)
SERVERS_PAGE = "Docs/SERVERS.md"


def unlisted_servers(base):
    """Each file of Sources that names a server is linked from the page of what servers do differently, and no other one is."""
    if not os.path.exists(os.path.join(base, SERVERS_PAGE)):
        return []
    linked = {os.path.normpath(os.path.join("Docs", target)) for target in LINK.findall(read(base, SERVERS_PAGE))}
    named = {path for path in tree(base, ".swift", under=("Sources",)) if SERVER.search(read(base, path))}
    return [f"{path}: names a server, and is not in {SERVERS_PAGE}" for path in sorted(named - linked)] + [
        f"{SERVERS_PAGE}: {path} names no server" for path in sorted(linked - named) if path.startswith("Sources/")]


def main():
    base = root()
    finish("documentation", undocumented(base) + unknown_parameters(base) + broken_links(base) + missing_files(base)
           + unlisted_servers(base))


main()
