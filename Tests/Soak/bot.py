# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""A program that answers nobody: `listen --exec` beside a script of the same account, on the same store."""

import json
import os
import shlex

from program import Program


class Bot(Program):
    """Has each message of one person handed to a program that notes it."""

    def __init__(self, client, speaker):
        super().__init__(client.name + "-bot", client.program, client.directory, client.environment, client.server)
        self.speaker = speaker
        self.noted = os.path.join(self.directory, "handed-over")
        open(self.noted, "wb").close()

    async def start(self):
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
