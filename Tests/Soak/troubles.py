# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""What happens to the clients, one after the other; some of it takes its time beside what comes next."""

import asyncio
from dataclasses import dataclass

from client import WAYS, Client
from proxy import CUTS

# The option that says how many of each there are.
OPTIONS = {
    "cut": "cuts", "kill": "kills", "stop": "stops", "restart": "restarts", "leave": "leaves", "lock": "locks",
    "hold": "holds", "block": "blocks", "change": "changes", "command": "commands", "bot": "bot_kills",
}


@dataclass
class Trouble:
    """Each draws the same from the seed, whatever comes of it, so that a seed gives the same ones again."""

    name: str
    pause: float
    client: Client
    cut: str
    length: float
    is_violent: bool
    way: str
    fate: float


def troubles(counts, clients, pace, random):
    """All of them, in an order that the seed gives."""
    names = [name for name, option in OPTIONS.items() for _ in range(getattr(counts, option))]
    random.shuffle(names)
    # Each way of leaving in its turn: few are drawn.
    leaving = 0
    for name in names:
        yield Trouble(
            name, random.uniform(0, 2 * pace), random.choice(clients), random.choice(CUTS), random.uniform(0.1, 0.7),
            random.random() < 0.5, WAYS[leaving % len(WAYS)], random.random())
        leaving += name == "leave"


class Troublemaker:
    def __init__(self, soak):
        self.soak = soak
        self.changes = 0
        # What goes on beside the next trouble.
        self.tasks = set()

    async def make(self, trouble):
        await getattr(self, "_" + trouble.name)(trouble)
        self._raise_failures()

    async def finished(self):
        while self.tasks:
            await asyncio.wait(self.tasks)
            self._raise_failures()
        await self.soak.commands.finished()

    def _beside(self, coroutine):
        self.tasks.add(asyncio.create_task(coroutine))

    def _raise_failures(self):
        for task in [task for task in self.tasks if task.done()]:
            self.tasks.discard(task)
            task.result()

    # Of the way to the server, and of the server.

    async def _cut(self, trouble):
        proxy = self.soak.proxies[trouble.client]
        while not await proxy.cut(trouble.cut, trouble.length):
            await self.soak.until(lambda: proxy.is_used, f"{trouble.client.name} does not connect again")

    async def _restart(self, trouble):
        soak = self.soak
        if soak.server.forgets:
            await self.finished()
            await soak.until(soak.is_quiet, "what was said does not arrive before the server's restart")
        await soak.server.restart(trouble.is_violent and soak.arguments.kill_server)

    # Of a client.

    async def _kill(self, trouble):
        await trouble.client.kill()

    async def _stop(self, trouble):
        process = trouble.client.process
        trouble.client.signal("SIGSTOP")
        await asyncio.sleep(trouble.length)
        if trouble.client.process is process:
            trouble.client.signal("SIGCONT")

    async def _leave(self, trouble):
        self._beside(trouble.client.leave(trouble.way, trouble.length))

    async def _lock(self, trouble):
        self._beside(trouble.client.kill(lambda: trouble.client.start_locked(trouble.length)))

    async def _hold(self, trouble):
        self._beside(trouble.client.hold(trouble.length))

    async def _block(self, trouble):
        """Nobody reads its next run's standard output for a while."""
        await trouble.client.kill(lambda: trouble.client.start(held=2 * trouble.length))

    async def _change(self, trouble):
        self.changes += 1
        number = self.changes
        self._beside(trouble.client.kill(lambda: trouble.client.start_after_change(number)))

    # Of the others.

    async def _command(self, trouble):
        fates = self.soak.commands.fates
        await self.soak.commands.begin(fates[int(trouble.fate * len(fates))], trouble.length)

    async def _bot(self, _):
        await self.soak.bot.kill()
