# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""Somebody who has single commands only: each says one number, and some are killed or cut before they know whether it arrived."""

import asyncio
import os

from client import LAST_KEPT, home_environment, last_kept, query
from program import NO_CONNECTION, PATIENCE, ClientFailure

# What becomes of a command.
FATES = ("whole", "killed", "cut")


class Commands:
    def __init__(self, name, program, directory, environment, proxy):
        self.name = name
        self.program = program
        self.directory = os.path.join(directory, name)
        os.mkdir(self.directory, 0o700)
        self.environment = home_environment(self.directory, environment)
        self.proxy = proxy
        self.peer = None
        self.counts = dict.fromkeys(FATES, 0)
        # The present one.
        self.task = None

    def database(self):
        path = os.path.join(self.environment["JACKDAW_DATA_DIR"], f"{self.environment['JACKDAW_JID']}.sqlite3")
        return path if os.path.exists(path) else None

    def kept(self):
        """The last number that is in the store: one that is not was never said."""
        return last_kept(query(self.database(), LAST_KEPT))

    def waiting(self):
        rows = query(self.database(), "SELECT count(*) FROM outbox")
        return rows[0][0] if rows else 0

    async def begin(self, fate, length):
        """Says the next number, beside all else. One at a time."""
        await self.finished()
        self.task = asyncio.create_task(self._say(fate, length))

    async def finished(self):
        if self.task:
            await self.task
        self.task = None

    async def settle(self):
        """The last ones take up what those before left, until nothing is left."""
        await self.finished()
        for _ in range(10):
            if await self._say("whole", 0) == 0 and self.waiting() == 0:
                return
        raise ClientFailure(f"{self.name}: what earlier commands left does not arrive")

    async def _say(self, fate, length):
        self.counts[fate] += 1
        with open(os.path.join(self.directory, "commands.log"), "ab") as errors:
            process = await asyncio.create_subprocess_exec(
                "setpriv", "--pdeathsig", "KILL", self.program, "-v", "send", self.peer.jid, f"{self.name} {self.kept() + 1}",
                stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL, stderr=errors, env=self.environment,
                start_new_session=True)
        if fate != "whole":
            # Most take less.
            await asyncio.sleep(length / 3)
        if fate == "cut":
            await self.proxy.cut("reset", 0)
        elif fate == "killed" and process.returncode is None:
            process.kill()
        code = await asyncio.wait_for(process.wait(), PATIENCE)
        if fate != "killed" and code != 0 and code not in NO_CONNECTION:
            raise ClientFailure(f"{self.name}: a command ended with {code}; see {self.directory}/commands.log")
        return code
