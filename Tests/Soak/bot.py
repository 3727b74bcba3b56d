# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""A program that answers nobody: `listen --exec` beside a script of the same account, on the same store."""

import asyncio
import fcntl
import json
import os
import shlex
import struct

from program import Program

# fcntl(2) on Linux: a lock of the open file, which Python's module does not name.
F_OFD_SETLK = 37


class Bot(Program):
    """Has each message of one person handed to a program that notes it."""

    def __init__(self, client, speaker):
        super().__init__(client.name + "-bot", client.program, client.directory, client.environment, client.server)
        self.client = client
        self.changing = client.changing
        self.speaker = speaker
        self.noted = os.path.join(self.directory, "handed-over")
        open(self.noted, "wb").close()

    async def start(self):
        while self.client.process.returncode is None and self.client.offset == 0:
            self.client.look()
            await asyncio.sleep(0.02)
        # In one write each: what is there is whole.
        note = f"read -r line; printf '%s\\n' \"$line\" >>{shlex.quote(self.noted)}"
        # One who begins takes over what another left that is gone. What a script left is to be the next script's to send: the order
        # of what two programs send is nobody's care.
        place = take_first_place(self.client.database())
        await self.begin(
            "listen", "--from", f"{self.speaker.name}@{self.server.domain}", "--exec", f"sh -c {shlex.quote(note)}")
        while self.process.returncode is None and self.offset == 0:
            self.look()
            await asyncio.sleep(0.02)
        if place is not None:
            os.close(place)

    @property
    def is_online(self):
        return self.counts["online"] + self.counts["resumed"] > 0

    def numbers(self):
        """What was handed over, in order."""
        with open(self.noted, "rb") as noted:
            return [int(json.loads(line)["body"].split()[1]) for line in noted]

    async def finish(self):
        self.signal("SIGTERM")
        await self.leaves({0})


def take_first_place(database):
    """Takes the place of whoever begins first with that database, if nobody has it, until the descriptor is closed."""
    if database is None:
        return None
    descriptor = os.open(database + "-lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.fcntl(descriptor, F_OFD_SETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 1, 0))
    except BlockingIOError:
        pass
    return descriptor
