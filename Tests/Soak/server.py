# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""A private server, or a cluster of two, by the scripts in Tests/Support/Servers."""

import asyncio
import os

SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Support", "Servers")

START_SECONDS = 90

# Scripts and their options. An archive of 10,000 messages that is read whole for each page of it would be what the soak waits for.
KINDS = {
    "prosody": ("prosody", ["--archive", "sqlite"]),
    # SASL2 with Bind 2, FAST and resumption within the log-in; TLS sessions that go on.
    "sasl2": ("prosody", ["--archive", "sqlite", "--community", "--tickets"]),
    "ejabberd": ("ejabberd", []),
}


class ServerFailure(Exception):
    pass


class Server:
    """One server, of the kind that its script's name says."""

    def __init__(self, kind, directory, passwords, options=()):
        self.kind = kind
        self.directory = directory
        self.passwords = passwords
        # Of its script.
        self.options = options
        self.facts = {}
        self.process = None
        # Clear while the server is down.
        self.up = asyncio.Event()

    async def start(self):
        names = list(self.passwords)
        arguments = ["--directory", self.directory, *self.options]
        if names:
            # The third is a stranger to all.
            for pair in (names[:2], names[3:]):
                arguments += ["--friends", ":".join(pair)] if pair else []
        for name in names:
            arguments += ["--account", f"{name}:{self.passwords[name]}"]
        with open(os.path.join(self.directory, "server.err"), "ab") as errors:
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


class Cluster:
    """Two ejabberds that are the nodes of one cluster. Everybody is on the same one, until it goes."""

    kind = "cluster"

    def __init__(self, directory, passwords):
        self.directory = directory
        self.passwords = passwords
        self.nodes = []
        # Never clear: one node is always there.
        self.up = asyncio.Event()

    async def start(self):
        first = Server("ejabberd", self.directory, self.passwords, ["--clustered"])
        self.nodes.append(first)
        await first.start()
        second = Server("ejabberd", self.directory, {}, ["--join", first.facts["directory"]])
        self.nodes.append(second)
        await second.start()
        self.up.set()

    async def restart(self, violently):
        """Ends the node that everybody is on, and starts it again when the other has taken its place."""
        self.nodes.reverse()
        await self.nodes[1].restart(violently)

    async def end(self):
        for node in self.nodes:
            await node.end()

    @property
    def forgets(self):
        return self.nodes[0].forgets

    @property
    def lets_in_late(self):
        return self.nodes[0].lets_in_late

    @property
    def address(self):
        return Place(self.nodes)

    @property
    def domain(self):
        return self.nodes[0].domain

    @property
    def authority(self):
        return self.nodes[0].authority


class Place:
    """Where the first of some servers is, found anew each time that somebody connects."""

    def __init__(self, servers):
        self.servers = servers

    def __iter__(self):
        return iter(self.servers[0].address)


def server(kind, directory, passwords):
    """What `--server` names."""
    if kind == Cluster.kind:
        return Cluster(directory, passwords)
    script, options = KINDS[kind]
    return Server(script, directory, passwords, options)
