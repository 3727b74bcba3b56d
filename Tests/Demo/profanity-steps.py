#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""profanity-steps.py [--write PAGE]: the first ten minutes that Docs/FIRST-STEPS.md shows, with Debian's Profanity in Jackdaw's place, run
now: alice's screen at 80 columns, after each step that she or bob takes. What is typed is what Profanity's own help says. Prints each
screen with its name as a heading; --write puts them into the page instead, in place of those of the same name.
"""

import importlib.util
import os
import pathlib
import re
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROWS, COLUMNS = 24, 80

steps = importlib.util.spec_from_file_location("first_steps", HERE / "first-steps.py")
first_steps = importlib.util.module_from_spec(steps)
steps.loader.exec_module(first_steps)


class Profanity(first_steps.Terminal):
    """Somebody's Profanity in a terminal of tmux."""

    def __init__(self, name, folder):
        home = folder / name
        home.mkdir()
        self.socket = str(folder / f"{name}.tmux")
        variables = {"PATH": os.environ["PATH"], "HOME": str(home), "LC_ALL": "C.UTF-8", "TZ": "UTC"}
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS), "env", "-i",
                  *(f"{name}={value}" for name, value in variables.items()), "TERM=screen-256color", "profanity")
        self.wait("Type '/help' to show complete help.")

    def enter(self, text):
        super().enter(text)
        time.sleep(1)

    def screen(self):
        return [line.rstrip() for line in self.tmux("capture-pane", "-p").rstrip().split("\n")]

    def log_in(self, jid, password, server):
        # A private server's authority is in no list of the system's.
        self.enter(f"/connect {jid} server {server.facts['address']} port {server.facts['port']} tls trust")
        self.wait("Enter password:")
        self.enter(password)
        self.wait("logged in successfully")


def plain(line):
    return re.sub(r"\d\d:\d\d(:\d\d)?", lambda time: "10:14:00"[:len(time.group())], line)


def record():
    blocks = []
    with tempfile.TemporaryDirectory(prefix="jackdaw-first-steps.") as name:
        folder = pathlib.Path(name)
        # The server's user passes through it to its own.
        folder.chmod(0o711)
        server = first_steps.Server(folder)
        people = []

        def shown(step):
            time.sleep(1)
            lines = alice.screen()
            blocks.append(f"<!-- profanity: {step} -->\n```\n" + "\n".join(plain(line) for line in lines) + "\n```\n")

        try:
            alice = Profanity("alice", folder)
            people.append(alice)
            shown("start")
            alice.log_in("alice@jackdaw.test", "wonderland", server)
            bob = Profanity("bob", folder)
            people.append(bob)
            bob.log_in("bob@jackdaw.test", "builder", server)
            alice.enter("/roster add bob@jackdaw.test")
            alice.enter("/sub request bob@jackdaw.test")
            bob.wait("Received authorization request")
            bob.enter("/sub allow alice@jackdaw.test")
            bob.enter("/sub request alice@jackdaw.test")
            shown("friends")
            alice.enter("/sub allow bob@jackdaw.test")
            alice.enter("/msg bob@jackdaw.test")
            alice.enter("Hello Bob, did you find the key?")
            bob.enter("/msg alice@jackdaw.test")
            bob.enter("Under the mat, where it always is.")
            alice.wait("Under the mat")
            shown("chat")
            alice.enter("/win 1")
            bob.enter("And the spare one is with carol.")
            shown("elsewhere")
            alice.enter("/help")
            shown("help")
            return blocks
        finally:
            for one in people:
                one.end()
            server.end()


if __name__ == "__main__":
    first_steps.publish(record(), sys.argv[2] if sys.argv[1:2] == ["--write"] else None)
