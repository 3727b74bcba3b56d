# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""Sees the checks of the soak's end find what a client did wrong behind a resumed stream, and excuse what a server did."""

import datetime
import json
import os
import sys
import tempfile

from checks import Findings, check_screen, handed_late, number_of, shown_bodies
from runs import Run

START = 1_700_000_000_000
NAME = "bob"


def event(at, name, **more):
    """A line of output, so many milliseconds behind the start."""
    time = datetime.datetime.fromtimestamp((START + at) / 1_000, datetime.timezone.utc)
    return json.dumps({"event": name, "time": time.isoformat(timespec="milliseconds")} | more, separators=(",", ":")) + "\n"


class Client:
    """One that showed these numbers, of which a program of its account had logged some at these times."""

    name = "alice"

    def __init__(self, path, shown, logged):
        """`shown`: (number, when); `logged`: by number when the server took it, when it was logged, and by which program."""
        with open(path + ".jsonl", "w", encoding="utf-8") as output:
            output.write(event(0, "connection", state="online"))
            output.write(event(5_000, "connection", state="resumed"))
            for number, at in shown:
                output.write(event(at, "message", body=f"{NAME} {number}", delayed=None, carbon=None))
        self.runs = [Run(1, path)]
        self.logged = logged

    def query(self, statement):
        if "archive" in statement:
            return [(f"{NAME} {number}", str((START + archived) * 1_000)) for number, (archived, _, _) in self.logged.items()]
        return [(f"{NAME} {number}", 1, START + at, owner) for number, (_, at, owner) in self.logged.items()]


# What, the numbers as they were shown and when, each number's place in the log, and those that are out of order at the end.
CASES = [
    ("what waited when the stream was resumed, and another program had logged, is the server's",
     [(2, 5_500), (1, 5_500), (3, 5_500)], {1: (4_900, 5_200, 1), 2: (5_100, 5_200, 1), 3: (5_300, 5_400, 1)}, ""),
    ("what the client logged itself and shows in another order is its own fault",
     [(2, 5_500), (1, 5_500), (3, 5_500)], {1: (4_900, 5_499, 0), 2: (4_950, 5_499, 0), 3: (5_300, 5_500, 0)},
     "alice's screen: out of order at 1"),
    ("what the server took when the stream had been resumed is it, too",
     [(2, 5_500), (1, 5_500), (3, 5_500)], {1: (5_050, 5_200, 1), 2: (5_100, 5_200, 1), 3: (5_300, 5_400, 1)},
     "alice's screen: out of order at 1"),
]

wrong = 0
with tempfile.TemporaryDirectory() as directory:
    for what, shown, logged, complaint in CASES:
        client, findings = Client(os.path.join(directory, "run"), shown, logged), Findings()
        late = {number_of(body, NAME) for body in handed_late(client)}
        check_screen(findings, client, [shown_bodies(findings, run, client) for run in client.runs], NAME, len(logged), set(), late)
        if "; ".join(findings.complaints) != complaint:
            wrong += 1
            print(f"{what}: {findings.complaints}")
if wrong:
    sys.exit(1)
print("soak's checks: right")
