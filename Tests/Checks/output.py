# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""One way out to the eye: nothing writes to a stream or a descriptor but the files named here, and nothing runs a shell.

Text that came from the network is escaped in one place; a `print` elsewhere would go around it.
"""

import re

from sources import finish, read, root, tree, without_comments

# Path (or folder, with a slash at its end) -> what it may call, and why.
ALLOWED = {
    # Sockets and pipes, never a terminal's stream.
    "Sources/JackdawLoop/": {"write", "send", "writev"},
    "Sources/JackdawTransport/": {"write", "send", "writev"},
    # The one writer of standard output and standard error, given escaped text.
    "Sources/JackdawTerminal/Streams/NonblockingOutput.swift": {"write", "send"},
    # Asks for a password with words of ours, while there is no prompt.
    "Sources/JackdawTerminal/Input/SecretPrompt.swift": {"write"},
    # A file of the user's own lines.
    "Sources/JackdawTerminal/Prompt/HistoryFile.swift": {"write"},
    # Gives readline its stream.
    "Sources/JackdawTerminal/Prompt/PromptTerminal.swift": {"stdio"},
    # What a program run by `listen --exec` reads; the configuration file and its like.
    "Sources/JackdawCommands/": {"write"},
}

CALLS = {
    "print": r"print|debugPrint|dump",
    "stdio": r"fputs|puts|fputc|putchar|putc|fwrite|fprintf|vfprintf|printf|vprintf|dprintf|perror|fdopen",
    "write": r"write", "writev": r"writev", "send": r"send|sendto|sendmsg",
    "shell": r"system|popen|execl|execlp|execle|wordexp",
    "syslog": r"syslog|vsyslog|openlog|NSLog",
}
STREAM = re.compile(r"(?<![\w.])(stdout|stderr)\b|FileHandle|FileDescriptor\.standard(?:Output|Error)|TextOutputStream")


def allowed(path):
    names = set()
    for prefix, calls in ALLOWED.items():
        if path == prefix or (prefix.endswith("/") and path.startswith(prefix)):
            names |= calls
    return names


def main():
    base = root()
    complaints = []
    for path in tree(base, ".swift", ".h", ".c", under=("Sources",)):
        text = without_comments(read(base, path), strings=True)
        permitted = allowed(path)
        for kind, names in CALLS.items():
            if kind in permitted:
                continue
            # The C function or the free Swift one: not a method, not a declaration of one's own method of that name.
            pattern = re.compile(r"(?:(?<![\w.`])|(?<=\bGlibc\.)|(?<=\bSwift\.))(?<!func )(?:" + names + r")\s*\(")
            for match in pattern.finditer(text):
                # `send(` and `write(` as methods of one's own type are no system calls: those have a descriptor first.
                if kind in ("send", "write", "writev") and not is_system_call(text, match):
                    continue
                line = text.count("\n", 0, match.start()) + 1
                complaints.append(f"{path}:{line}: {match.group(0).rstrip('(').strip()}() may not be called here")
        if path.endswith(".swift") and not path.startswith("Sources/JackdawTerminal/"):
            for match in STREAM.finditer(text):
                # A constant or a parameter of one's own that is called so.
                if re.search(r"\blet\s+" + match.group(0) + r"\s*=|\b" + match.group(0) + r":", text):
                    continue
                line = text.count("\n", 0, match.start()) + 1
                complaints.append(f"{path}:{line}: {match.group(0)} may not be touched here")
    finish("output", complaints)


def is_system_call(text, match):
    """Three arguments or more without labels, as write(descriptor, bytes, count) has; or written Glibc.write."""
    if text[max(0, match.start() - 6):match.start()].endswith("Glibc."):
        return True
    depth, start, arguments = 0, match.end(), []
    for index in range(match.end(), min(len(text), match.end() + 2000)):
        char = text[index]
        if char in "([{":
            depth += 1
        elif char in ")]}" and depth > 0:
            depth -= 1
        elif char in ",)" and depth == 0:
            arguments.append(text[start:index].strip())
            start = index + 1
            if char == ")":
                break
    return len(arguments) >= 3 and not any(re.match(r"\w+\s*:(?!:)", a) for a in arguments)


main()
