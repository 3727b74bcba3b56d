#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""first-steps.py JACKDAW [--write PAGE]: what Docs/FIRST-STEPS.md shows, run now: two people's first ten minutes, each with a Jackdaw of
their own in a terminal (tmux), on a private Prosody; at 80 columns step by step, then at 40 and at 120 as a whole. Prints each transcript
with its name as a heading; --write puts them into the page instead, in place of those of the same name.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PATIENCE = 120
ROWS = 50


class Server:
    """A private Prosody with the two accounts; it ends with its input."""

    def __init__(self, folder):
        self.process = subprocess.Popen(
            [HERE.parent / "Support/Servers/prosody.sh", "--account", "alice:wonderland", "--account", "bob:builder", "--directory", folder],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True)
        self.facts = {}
        for line in self.process.stdout:
            if line.strip() == "ready":
                return
            name, _, value = line.strip().partition("=")
            self.facts[name] = value
        raise SystemExit("the server did not start")

    def end(self):
        self.process.stdin.close()
        self.process.wait(60)


class Terminal:
    """Somebody's Jackdaw in a terminal of tmux."""

    def __init__(self, jackdaw, name, columns, server, folder):
        home = folder / name
        home.mkdir()
        self.socket = str(folder / f"{name}.tmux")
        self.seen = []
        variables = {
            "PATH": os.environ["PATH"], "HOME": str(home), "LC_ALL": "C.UTF-8", "TZ": "UTC", "NO_COLOR": "1", "JACKDAW_TIMEOUT": str(PATIENCE),
            "JACKDAW_SERVER": f"{server.facts['address']}:{server.facts['port']}", "JACKDAW_CA_FILE": server.facts["ca"]}
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(ROWS), "env", "-i",
                  *(f"{name}={value}" for name, value in variables.items()), "TERM=screen-256color", jackdaw)
        self.tmux("set-option", "-g", "remain-on-exit", "on")

    def tmux(self, *words):
        return subprocess.run(["tmux", "-S", self.socket, *words], check=True, capture_output=True, text=True, timeout=60).stdout

    def lines(self):
        return [line.rstrip() for line in self.tmux("capture-pane", "-p", "-S", "-").rstrip().split("\n")]

    def type(self, text):
        self.tmux("send-keys", "-l", text)

    def enter(self, text):
        self.type(text)
        self.tmux("send-keys", "Enter")

    def wait(self, words):
        """Until the words are on the screen, however the lines are broken."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if words in " ".join(" ".join(self.lines()).split()):
                return
            time.sleep(0.1)
        raise SystemExit(f"{words!r} is not shown:\n" + "\n".join(self.lines()))

    def begin_again(self):
        """Once the program has ended, starts it anew on an empty screen."""
        deadline = time.monotonic() + PATIENCE
        while self.tmux("display-message", "-p", "#{pane_dead}").strip() != "1":
            if time.monotonic() > deadline:
                raise SystemExit("the program does not end:\n" + "\n".join(self.lines()))
            time.sleep(0.1)
        self.tmux("clear-history")
        self.tmux("respawn-pane")
        self.seen = []

    def new(self):
        """The lines since the last time, as far as they stay: the last is the prompt."""
        lines = self.lines()
        same = 0
        while same < min(len(lines), len(self.seen)) - 1 and lines[same] == self.seen[same]:
            same += 1
        self.seen = lines
        return lines[same:]

    def end(self):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], capture_output=True, check=False)


def plain(line):
    """Times are those of the reader's next morning."""
    line = re.sub(r"^\d\d:\d\d(:\d\d)? ", "10:14 ", line)
    return re.sub(r"── .*\d{4} ──", "── today ──", line)


# The server tells one of these when it likes, before the other or behind it.
FIRST_ONLINE = re.compile(r"(^.*bob@jackdaw\.test is online\n)(^.*bob@jackdaw\.test accepted: you\s+are friends\.\n)", re.MULTILINE)


def block(name, lines):
    text = "\n".join(plain(line) for line in lines)
    return f"<!-- {name} -->\n```\n" + FIRST_ONLINE.sub(r"\2\1", text) + "\n```\n"


def main():
    jackdaw, page = os.path.realpath(sys.argv[1]), sys.argv[3] if sys.argv[2:3] == ["--write"] else None
    blocks = []
    for columns in (80, 40, 120):
        blocks += conversation(jackdaw, columns)
    publish(blocks, page)


def publish(blocks, page):
    """Prints transcripts, or puts them into a page."""
    if page is None:
        print("".join(blocks), end="")
        return
    text = pathlib.Path(page).read_text(encoding="utf-8")
    for one in blocks:
        heading = one.split("\n", 1)[0]
        text, count = re.subn(re.escape(heading) + r"\n```\n.*?```\n", lambda _: one, text, flags=re.DOTALL)
        if count != 1:
            raise SystemExit(f"{page} has {heading} {count} times")
    pathlib.Path(page).write_text(text, encoding="utf-8")


def conversation(jackdaw, columns):
    """The first ten minutes of alice and bob. Returns the transcripts: at 80 columns one for each step."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="jackdaw-first-steps."))
    # The server's user passes through it to its own.
    folder.chmod(0o711)
    server = Server(folder)
    people = []
    steps = []

    def step(name, person):
        steps.append((name, person.new()))

    try:
        alice = Terminal(jackdaw, "alice", columns, server, folder)
        people.append(alice)
        alice.wait("Address:")
        alice.enter("alice@jackdaw.test")
        alice.wait("Password for")
        alice.enter("wonderland")
        alice.wait("leave")
        alice.wait("jackdaw>")
        step("start", alice)

        alice.enter("/friends add bob@jackdaw.test")
        alice.wait("Asked bob")
        step("ask", alice)

        bob = Terminal(jackdaw, "bob", columns, server, folder)
        people.append(bob)
        bob.wait("Address:")
        bob.enter("bob@jackdaw.test")
        bob.wait("Password for")
        bob.enter("builder")
        bob.wait("/friends accept alice@jackdaw.test")
        bob.new()
        bob.enter("/friends accept alice@jackdaw.test")
        bob.wait("are friends")
        step("accept", bob)

        alice.wait("you are friends")
        alice.wait("is online")
        bob.wait("is online")
        alice.enter("/to bob")
        alice.wait("bob@jackdaw.test>")
        alice.enter("Hello Bob, did you find the key?")
        alice.wait("did you find the key?")
        bob.wait("did you find the key?")
        bob.tmux("send-keys", "M-r")
        bob.wait("alice@jackdaw.test>")
        # What is read is told, and would stand before or behind the answer.
        alice.wait("read this.")
        bob.enter("Under the mat, where it always is.")
        bob.wait("read this.")
        step("answer", bob)

        alice.wait("Under the mat")
        step("talk", alice)
        alice.enter("/help")
        alice.wait("Leave; Ctrl-D")
        step("help", alice)
        alice.enter("/quit")
        alice.begin_again()
        alice.wait("jackdaw>")
        alice.enter("/to bob")
        alice.wait("where it always is")
        step("again", alice)
    finally:
        for person in people:
            person.end()
        server.end()
        shutil.rmtree(folder)
    if columns == 80:
        return [block(name, lines) for name, lines in steps]
    return [block(f"at {columns} columns", [line for _, lines in steps for line in lines])]


if __name__ == "__main__":
    main()
