# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""Somebody who has single commands only: each says one number, and some are killed or cut before they know whether it arrived. They may
go through an agent, which is killed too."""

import asyncio
import json
import os
import signal

from client import LAST_KEPT, home_environment, last_kept, query
from program import NO_CONNECTION, PATIENCE, ClientFailure

# What becomes of a command.
FATES = ("whole", "killed", "cut")
# And where there is an agent.
AGENT_FATES = ("agent killed", "agent stopped")

# `--timeout` of a command that may meet a stopped agent.
AGENT_SECONDS = 5


class Commands:
    def __init__(self, name, program, directory, environment, proxy, has_agent=False):
        self.name = name
        self.program = program
        self.directory = os.path.join(directory, name)
        os.mkdir(self.directory, 0o700)
        self.environment = home_environment(self.directory, environment)
        self.proxy = proxy
        self.peer = None
        self.has_agent = has_agent
        self.fates = FATES + (AGENT_FATES if has_agent else ())
        self.counts = dict.fromkeys(FATES + AGENT_FATES, 0)
        # The present one.
        self.task = None
        # What commands did wrong that the store does not show at the end.
        self.complaints = []
        if has_agent:
            with open(self.environment["JACKDAW_CONFIG"], "x") as configuration:
                configuration.write("agent = true\n")

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
        agent = await self._agent() if fate in AGENT_FATES else None
        # One that logs what it does would go by itself.
        options = ["--timeout", f"{AGENT_SECONDS}"] if self.has_agent else ["-v"]
        number = self.kept() + 1
        process = await self._start(*options, "send", self.peer.jid, f"{self.name} {number}")
        if fate != "whole":
            # Most take less.
            await asyncio.sleep(length / (30 if self.has_agent else 3))
        if fate == "cut":
            await self.proxy.cut("reset", 0)
        elif fate == "killed" and process.returncode is None:
            process.kill()
        elif agent is not None:
            send_signal(agent, signal.SIGKILL if fate == "agent killed" else signal.SIGSTOP)
        code = await asyncio.wait_for(process.wait(), PATIENCE)
        if agent is not None and fate == "agent stopped":
            send_signal(agent, signal.SIGCONT)
        if self.has_agent and fate != "whole":
            # What was begun may be in the store a moment after the command is gone.
            await self._agent()
        if fate != "killed" and code != 0 and code not in NO_CONNECTION:
            raise ClientFailure(f"{self.name}: a command ended with {code}; see {self.directory}/commands.log")
        if code == 0 and self.kept() != number:
            self.complaints.append(f"{self.name}: a command ended with 0, but the last number in its store is {self.kept()} and not {number}")
        return code

    async def _start(self, *words, output=asyncio.subprocess.DEVNULL):
        with open(os.path.join(self.directory, "commands.log"), "ab") as errors:
            return await asyncio.create_subprocess_exec(
                "setpriv", "--pdeathsig", "KILL", self.program, *words, stdin=asyncio.subprocess.DEVNULL, stdout=output,
                stderr=errors, env=self.environment, start_new_session=True)

    async def _agent(self):
        """The agent's process, once it has no command any more; nil: there is none."""
        for _ in range(PATIENCE):
            asking = await self._start("-q", "--json", "--timeout", f"{AGENT_SECONDS}", "agent", "status", output=asyncio.subprocess.PIPE)
            answer, _ = await asking.communicate()
            told = json.loads(answer.splitlines()[0]) if answer else {}
            if told.get("event") != "result":
                return None
            if told["commands"] == 0:
                return told["process"]
            await asyncio.sleep(0.1)
        raise ClientFailure(f"{self.name}: the agent goes on with a command that has ended")

    async def end(self):
        """Nothing of it runs on."""
        if self.has_agent and (agent := await self._agent()) is not None:
            send_signal(agent, signal.SIGKILL)


def send_signal(process, which):
    try:
        os.kill(process, which)
    except ProcessLookupError:
        pass
