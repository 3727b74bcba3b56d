# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""A jackdaw that says its numbers, and is stopped, killed and started anew while it does."""

import asyncio
import glob
import json
import os
import signal
import sqlite3

# Exit codes of a run that did not get its first connection: no address answered, timed out or lost, broken off in TLS.
# Scripts do not try again then, so the soak does.
NO_CONNECTION = {68, 75, 76}

# How a run's end begins, and its exit code, when the server gave its place to somebody else: here to a run before it that was cut
# or killed in its log-in.
THROWN_OUT, UNAVAILABLE = "another log-in of this account", 69

# Lines that are written ahead of what the store has: a kill loses these, and they are said again.
AHEAD = 400


class ClientFailure(Exception):
    pass


class Run:
    """One process of a client's many, from its start to its end."""

    def __init__(self, number, path):
        self.number = number
        self.path = path
        self.was_killed = False
        self.was_thrown_out = False
        # Its first line, which waits for a connection and for all that a log-in asks for, is done.
        self.is_ready = False
        self.code = None


class Client:
    """The numbers are those of the lines that it says, from 1. It has what the store has: the rest is said again after a
    kill."""

    def __init__(self, name, program, directory, environment, server, total):
        self.name = name
        self.program = program
        self.directory = os.path.join(directory, name)
        self.server = server
        self.peer = None
        self.total = total
        self.runs = []
        self.process = None
        self.pending = b""
        self.offset = 0
        self.next = 1
        self.counts = {"online": 0, "resumed": 0, "retrying": 0, "unconnected": 0, "thrown_out": 0}
        self.reconnect_at = None
        self.changing = asyncio.Lock()
        os.mkdir(self.directory, 0o700)
        self.environment = {**environment, **{
            f"XDG_{kind}_HOME": os.path.join(self.directory, kind.lower()) for kind in ("CONFIG", "DATA", "STATE", "CACHE")
        }, "JACKDAW_CONFIG": os.path.join(self.directory, "config.toml"),
            "JACKDAW_DATA_DIR": os.path.join(self.directory, "data")}

    @property
    def jid(self):
        return f"{self.name}@{self.server.domain}"

    @property
    def run(self):
        return self.runs[-1]

    @property
    def is_ready(self):
        return self.run.is_ready

    async def start(self):
        number = len(self.runs) + 1
        base = os.path.join(self.directory, f"{number:04}")
        with open(base + ".jsonl", "wb") as output, open(base + ".log", "wb") as errors:
            # It ends with the soak, however that ends.
            process = await asyncio.create_subprocess_exec(
                "setpriv", "--pdeathsig", "KILL", self.program, "-v", "--json", "--timeout", "120", "run", "-",
                stdin=asyncio.subprocess.PIPE, stdout=output, stderr=errors, env=self.environment,
                start_new_session=True)
        self.process = process
        self.runs.append(Run(number, base + ".jsonl"))
        self.pending, self.offset, self.reconnect_at = b"", 0, None
        self.next = self.kept() + 1
        # It goes online though it may have nothing to say any more.
        self.type("/reconnect", "/post x-ready", f"/to {self.peer.jid}")

    def type(self, *lines):
        if self.process.returncode is None:
            self.process.stdin.write("".join(line + "\n" for line in lines).encode())

    def say(self, upto):
        """Says the next numbers, as far as that one."""
        if not self.run.is_ready:
            return
        last = min(upto, self.total, self.kept() + AHEAD)
        if last >= self.next:
            self.type(*(f"{self.name} {number} " + "." * (number * 37 % 90) for number in range(self.next, last + 1)))
            self.next = last + 1

    async def kill(self):
        """SIGKILL, and a new run on what it left."""
        async with self.changing:
            self.run.was_killed = True
            self.signal("SIGKILL")
            await self._ended()
            await self.start()

    async def finish(self):
        """At the end of its input it waits until the server has everything."""
        self.process.stdin.close()
        await asyncio.wait_for(self._ended(), 60)
        if self.run.code != 0:
            raise ClientFailure(f"{self.name}: run {self.run.number} ended with {self.run.code}: {self.last_error()}")

    async def _ended(self):
        self.run.code = await self.process.wait()
        self.look()

    async def revive(self):
        """Starts it anew when it ended by itself, which it may do before its first connection only."""
        async with self.changing:
            if self.process.returncode is None:
                return
            await self._ended()
            if self.run.was_thrown_out and self.run.code == UNAVAILABLE:
                return await self.start()
            if self.run.is_ready or self.run.code not in NO_CONNECTION:
                raise ClientFailure(
                    f"{self.name}: run {self.run.number} ended by itself with {self.run.code}: {self.last_error()}")
            self.counts["unconnected"] += 1
            await self.start()

    def signal(self, name):
        # Not by the process's own functions: these may take its end away from whoever waits for it.
        if self.process.returncode is None:
            try:
                os.kill(self.process.pid, signal.Signals[name])
            except ProcessLookupError:
                pass

    def last_error(self):
        with open(self.run.path[:-len("jsonl")] + "log", errors="replace") as log:
            return "".join(log.readlines()[-1:]).strip()

    def look(self):
        """Reads what it has shown since the last look."""
        with open(self.run.path, "rb") as output:
            output.seek(self.offset)
            data = output.read()
        self.offset += len(data)
        *lines, self.pending = (self.pending + data).split(b"\n")
        for line in lines:
            if line.startswith(b'{"event":"connection"'):
                event = json.loads(line)
                self._changed(event["state"], event["reason"] or "")
            elif line.startswith(b'{"event":"x-ready"'):
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
        if self.run.is_ready:
            self.type("/reconnect")
        else:
            # Its first line still waits for the connection, and so would this one. Who wakes up waits no longer than the
            # first time.
            self.signal("SIGCONT")

    # What is in its store.

    def query(self, sql, *values):
        found = glob.glob(os.path.join(self.environment["JACKDAW_DATA_DIR"], "**", "*.sqlite3"), recursive=True)
        if not found:
            return []
        database = sqlite3.connect(f"file:{found[0]}?mode=ro", uri=True, timeout=10)
        try:
            return database.execute(sql, values).fetchall()
        except sqlite3.OperationalError as error:
            # Its first run has not made the tables yet.
            if "no such table" in str(error):
                return []
            raise
        finally:
            database.close()

    def kept(self):
        """The last number that is in its store. They get there in their order."""
        rows = self.query("SELECT body FROM message WHERE is_outgoing = 1 ORDER BY seq DESC LIMIT 1")
        return int(rows[0][0].split()[1]) if rows else 0

    def arrived(self):
        rows = self.query("SELECT count(*) FROM message WHERE is_outgoing = 0 AND seq > 0")
        return rows[0][0] if rows else 0

    def waiting(self):
        rows = self.query("SELECT count(*) FROM outbox")
        return rows[0][0] if rows else 0
