# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""A program that answers nobody: `listen --exec` beside a script of the same account, on the same store."""

import asyncio
import json
import os
import shlex

from program import Program


class Bot(Program):
    """Has each message of one person handed to a program that notes it."""

    def __init__(self, client, speaker):
        super().__init__(client.name + "-bot", client.program, client.directory, client.environment, client.server)
        # One who begins takes over what another left that is gone. What a script left is to be the next script's to send: the order
        # of what two programs send is nobody's care.
        self.client = client
        self.changing = client.changing
        self.speaker = speaker
        self.noted = os.path.join(self.directory, "handed-over")
        open(self.noted, "wb").close()

    async def start(self):
        await self.client.come_back()
        while self.client.offset == 0:
            await asyncio.sleep(0.02)
            await self.client.come_back()
            self.client.look()
        # In one write each: what is there is whole.
        note = f"read -r line; printf '%s\\n' \"$line\" >>{shlex.quote(self.noted)}"
        await self.begin(
            "listen", "--from", f"{self.speaker.name}@{self.server.domain}", "--exec", f"sh -c {shlex.quote(note)}")

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
