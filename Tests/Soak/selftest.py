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


def stamp(at):
    """So many milliseconds behind the start."""
    return datetime.datetime.fromtimestamp((START + at) / 1_000, datetime.timezone.utc).isoformat(timespec="milliseconds")


def event(at, name, **more):
    """A line of output."""
    return json.dumps({"event": name, "time": stamp(at)} | more, separators=(",", ":")) + "\n"


class Client:
    """One that showed these numbers in its runs, of which a program of its account had logged some at these times."""

    name = "alice"

    def __init__(self, path, runs, logged):
        """`runs`: what each showed: (number, when, its stamp or None), or the state of its connection and when; `logged`: by number,
        in the log's order, its id in the archive, when it was logged, by which program, and when it was written if it came late."""
        self.runs = [Run(number, f"{path}-{number}") for number in range(1, len(runs) + 1)]
        for run, shown in zip(self.runs, runs):
            with open(run.path, "w", encoding="utf-8") as output:
                for what, at, *delayed in shown:
                    if not delayed:
                        output.write(event(at, "connection", state=what))
                        continue
                    delayed = None if delayed[0] is None else stamp(delayed[0])
                    output.write(event(at, "message", body=f"{NAME} {what}", delayed=delayed, carbon=None))
        self.rows = [
            (f"{NAME} {number}", seq, archive, int(bool(written)), START + (written[0] if written else at), START + at, owner)
            for seq, (number, (archive, at, owner, *written)) in enumerate(logged.items(), 1)]

    def query(self, _):
        return self.rows


def ejabberd(at):
    """An id of its archive: when it took the message, in microseconds."""
    return str((START + at) * 1_000)


PROSODY = "0995f776-75f7-4c16-9b9c-d6dc424a8783"

ONLINE, RESUMED = ("online", 0), ("resumed", 5_000)

# What another program logged while this one logged in, which reads it from the log.
MEANWHILE = {number: (ejabberd(69 + number), 70 + number, 1) for number in range(1, 5)}
WHILE_AWAY = {number: (ejabberd(number), 70 + number, 1, number) for number in range(1, 5)}

# What, the numbers as they were shown and when, each number's place in the log, and those that are out of order at the end.
CASES = [
    ("what waited when the stream was resumed, and another program had logged, is the server's",
     [[ONLINE, RESUMED, (2, 5_500, None), (1, 5_500, None), (3, 5_500, None)]],
     {1: (ejabberd(4_900), 5_200, 1), 2: (ejabberd(5_100), 5_200, 1), 3: (ejabberd(5_300), 5_400, 1)}, ""),
    ("what the client logged itself and shows in another order is its own fault",
     [[ONLINE, RESUMED, (2, 5_500, None), (1, 5_500, None), (3, 5_500, None)]],
     {1: (ejabberd(4_900), 5_499, 0), 2: (ejabberd(4_950), 5_499, 0), 3: (ejabberd(5_300), 5_500, 0)},
     "alice's screen: out of order at 1"),
    ("what the server took when the stream had been resumed is it, too",
     [[ONLINE, RESUMED, (2, 5_500, None), (1, 5_500, None), (3, 5_500, None)]],
     {1: (ejabberd(5_050), 5_200, 1), 2: (ejabberd(5_100), 5_200, 1), 3: (ejabberd(5_300), 5_400, 1)},
     "alice's screen: out of order at 1"),
    ("what another program had live, and the server gave to this one later with a stamp, is the server's",
     [[ONLINE, (2, 500, None), (1, 2_100, 10)]], {1: (ejabberd(10), 98, 1), 2: (ejabberd(497), 498, 0)}, ""),
    ("what another program took while a run ended, and the next one shows, is the server's",
     [[ONLINE, (2, 500, None), (3, 900, None)], [("connecting", 1_000), (1, 1_100, 20)]],
     {1: (ejabberd(20), 110, 1, 20), 2: (ejabberd(499), 500, 0), 3: (ejabberd(899), 900, 0)}, ""),
    ("what another program had live, and a run shows from the log in another order than that has, is its fault",
     [[("connecting", 0), ("online", 100), (1, 110, 71), (3, 110, 73), (2, 110, 72), (4, 110, 74)]], MEANWHILE,
     "alice's screen: out of order at 2"),
    ("what another program logged late, and a run shows from the log in another order than that has, is its fault",
     [[("connecting", 0), ("online", 1_200), (1, 1_210, 1), (3, 1_210, 3), (2, 1_210, 2), (4, 1_210, 4)]], WHILE_AWAY,
     "alice's screen: out of order at 2"),
    ("what Prosody hands over, which does so in order, and a run shows in another order is its fault",
     [[ONLINE, (2, 500, None), (1, 2_100, 10)]], {1: (PROSODY, 98, 1), 2: (PROSODY, 498, 0)},
     "alice's screen: out of order at 1"),
]

wrong = 0
with tempfile.TemporaryDirectory() as directory:
    for what, runs, logged, complaint in CASES:
        client, findings = Client(os.path.join(directory, "run"), runs, logged), Findings()
        late = {number_of(body, NAME) for body in handed_late(client)}
        check_screen(findings, client, [shown_bodies(findings, run, client) for run in client.runs], NAME, len(logged), set(), late)
        if "; ".join(findings.complaints) != complaint:
            wrong += 1
            print(f"{what}: {findings.complaints}")
if wrong:
    sys.exit(1)
print("soak's checks: right")
