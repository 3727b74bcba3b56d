# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""A jackdaw that is there all the time: run after run of it, each begun when the one before has ended."""

import asyncio
import os
import signal

from runs import Run, events, lines_of

# Exit codes of a run that did not get its first connection: no address answered, timed out or lost, broken off in TLS.
# Scripts do not try again then, so the soak does.
NO_CONNECTION = {68, 75, 76}
# A message could be neither sent nor stored.
NOT_STORED = 74

# How a run's end begins, and its exit code, when the server gave its place to somebody else: here to a run before it that was cut
# or killed in its log-in.
THROWN_OUT, UNAVAILABLE = "Another log-in of this account", 69

# Of a run that a signal ended before it listened to any.
BY_SIGNAL = {-signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP}

# Seconds that a run may take to end when it is asked to.
PATIENCE = 120


class ClientFailure(Exception):
    pass


class Program:
    """What a script, `listen` and the prompt have in common."""

    def __init__(self, name, program, directory, environment, server):
        self.name = name
        self.program = program
        # Where its output goes.
        self.directory = directory
        self.environment = environment
        self.server = server
        self.runs = []
        self.pending = b""
        self.offset = 0
        self.counts = {"online": 0, "resumed": 0, "retrying": 0, "unconnected": 0, "thrown_out": 0}
        self.reconnect_at = None
        self.changing = asyncio.Lock()

    @property
    def run(self):
        return self.runs[-1]

    @property
    def process(self):
        return self.run.process if self.runs else None

    @property
    def is_ready(self):
        return self.run.is_ready

    async def begin(self, *words, **how):
        number = len(self.runs) + 1
        run = Run(number, os.path.join(self.directory, f"{self.name}-{number:04}"))
        await run.start([self.program, "-v", "--json", "--timeout", "120", *words], self.environment, **how)
        self.runs.append(run)
        self.pending, self.offset, self.reconnect_at = b"", 0, None

    async def start(self):
        raise NotImplementedError

    async def kill(self, restart=None):
        """SIGKILL, and a new run on what it left."""
        async with self.changing:
            await self.killed()
            await (restart or self.start)()

    async def killed(self):
        self.run.was_killed = True
        self.signal("SIGKILL")
        await self.ended()

    async def ended(self):
        await self.run.ended()
        self.look()

    async def leaves(self, codes):
        """Waits for the end of a run that was asked to end, for as long as it shows something: cuts go on while it says the rest."""
        self.run.is_leaving = True
        ending, shown = asyncio.create_task(self.ended()), -1
        try:
            while not ending.done():
                before, shown = shown, os.path.getsize(self.run.path)
                if shown == before:
                    raise ClientFailure(f"{self.name}: run {self.run.number} does not end")
                await asyncio.wait([ending], timeout=PATIENCE)
            await ending
        finally:
            ending.cancel()
        # A signal may come before anybody listens to it. One that had no connection yet is not sure to get one. And it may come when
        # nobody does any more: the server has ended it in the same moment, which it has said.
        if self.run.code in BY_SIGNAL and (self.offset == 0 or self.last_error().startswith("jackdaw: ")):
            return
        if self.run.code in codes or (self.run.code in NO_CONNECTION and not self.run.is_ready) or self.is_thrown_out():
            return
        # It was offline, and the log locked: its script is told which line it could not keep.
        if self.run.code == NOT_STORED and any(
                event["condition"] == "not-stored" for event in events(lines_of(self.run.path), "error")):
            return
        raise ClientFailure(
            f"{self.name}: run {self.run.number} was left, and ended with {self.run.code}: {self.last_error()}")

    def is_thrown_out(self):
        return self.run.was_thrown_out and self.run.code == UNAVAILABLE

    async def revive(self):
        """Starts it anew when it ended by itself, which it may do before its first connection only."""
        if self.changing.locked():
            return
        async with self.changing:
            if self.process.returncode is None:
                return
            await self.ended()
            if not self.is_thrown_out():
                if self.run.is_ready or self.run.code not in NO_CONNECTION:
                    raise ClientFailure(
                        f"{self.name}: run {self.run.number} ended by itself with {self.run.code}: {self.last_error()}")
                self.counts["unconnected"] += 1
            await self.start()

    def signal(self, name):
        self.run.signal(name)

    def last_error(self):
        with open(self.run.log, errors="replace") as log:
            return "".join(log.readlines()[-1:]).strip()

    def look(self):
        """Reads what it has shown since the last look."""
        with open(self.run.path, "rb") as output:
            output.seek(self.offset)
            data = output.read()
        self.offset += len(data)
        *lines, self.pending = (self.pending + data).split(b"\n")
        for event in events(lines, "connection", "x-ready"):
            if event["event"] == "connection":
                self._changed(event["state"], event["reason"] or "")
            else:
                self.run.is_ready = True

    def _changed(self, state, reason):
        if state in self.counts:
            self.counts[state] += 1
        if state in ("online", "resumed"):
            self.reconnect_at = None
        is_thrown_out = state == "offline" and reason.startswith(THROWN_OUT) and self.server.lets_in_late
        if is_thrown_out:
            self.counts["thrown_out"] += 1
            self.run.was_thrown_out = True
        if state == "retrying" or is_thrown_out:
            self.reconnect_at = asyncio.get_running_loop().time() + 0.05

    def hurry(self):
        """It waits before it tries again, longer and longer; that would make cuts dear."""
        if not (self.reconnect_at and self.server.up.is_set() and asyncio.get_running_loop().time() >= self.reconnect_at):
            return
        self.reconnect_at = None
        self.reconnect()

    def reconnect(self):
        """Who wakes up waits no longer than the first time."""
        self.signal("SIGCONT")
