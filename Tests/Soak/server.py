# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""A private server, by the scripts in Tests/Support/Servers."""

import asyncio
import os

SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Support", "Servers")

START_SECONDS = 90


class ServerFailure(Exception):
    pass


class Server:
    def __init__(self, kind, directory, passwords):
        self.kind = kind
        self.directory = directory
        self.passwords = passwords
        self.facts = {}
        self.process = None
        # Clear while the server is down.
        self.up = asyncio.Event()

    async def start(self):
        names = list(self.passwords)
        arguments = ["--directory", self.directory, "--friends", ":".join(names)]
        for name in names:
            arguments += ["--account", f"{name}:{self.passwords[name]}"]
        with open(os.path.join(self.directory, "server.err"), "wb") as errors:
            self.process = await asyncio.create_subprocess_exec(
                os.path.join(SCRIPTS, f"{self.kind}.sh"), *arguments, stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE, stderr=errors, start_new_session=True)
        while (line := await self._line()) != "ready":
            key, _, value = line.partition("=")
            self.facts[key] = value
        self.up.set()

    async def _line(self):
        line = await asyncio.wait_for(self.process.stdout.readline(), START_SECONDS)
        if not line:
            raise ServerFailure(f"{self.kind} has ended; see {self.directory}/server.err")
        return line.decode().rstrip("\n")

    async def ask(self, command):
        self.process.stdin.write(command.encode() + b"\n")
        await self.process.stdin.drain()
        answer = await self._line()
        if answer != f"ok {command}":
            raise ServerFailure(f"{self.kind}: {answer}")

    async def restart(self, violently):
        """Ends the server, politely or as a failed machine does, and starts it again with its data."""
        self.up.clear()
        await self.ask("kill" if violently else "stop")
        await self.ask("start")
        self.up.set()

    async def end(self):
        if self.process is None:
            return
        self.process.stdin.close()
        try:
            await asyncio.wait_for(self.process.wait(), 30)
        except asyncio.TimeoutError:
            self.process.kill()
            await self.process.wait()

    @property
    def forgets(self):
        """ejabberd loses what it has said that it has: for minutes when it is killed, and when it is stopped what is on its way
        from one of its processes to another's. It is then in the archive of who sent it, and in no other."""
        return self.kind == "ejabberd"

    @property
    def lets_in_late(self):
        """A busy ejabberd may get round to the log-in of a connection that is dead when the next one has its place already, and
        throw that one out. Where both are of one run Jackdaw knows; a new run cannot know what the one before it asked for."""
        return self.kind == "ejabberd"

    @property
    def address(self):
        return self.facts["address"], int(self.facts["port"])

    @property
    def domain(self):
        return self.facts["domain"]

    @property
    def authority(self):
        return self.facts["ca"]
