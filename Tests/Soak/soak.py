#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""Two clients that say numbers to each other, and two that say them in a room, while connections are cut, clients killed, stopped and
left, and the server is restarted; a third person has single commands only, and a bot. At the end all must have each number once, in
order, in the store and on the screen. `soak.py --help` lists the options. Exits with 1 when something is lost, doubled or out of
order."""

import argparse
import asyncio
import os
import random
import shutil
import sys
import tempfile
import time

from bot import Bot
from checks import Findings, check, check_bot, check_friends
from client import Client
from commands import Commands
from program import ClientFailure
from proxy import Proxy
from room import RoomClient
from server import ServerFailure, server
from troubles import OPTIONS, Troublemaker, troubles

TICK = 0.05

# Messages that one of them may be behind before the next trouble waits, and how many seconds it does: on a slow machine they
# would else be said when the troubles are over. No longer, as a connection that stands still may need the next cut to go on.
BACKLOG, LEEWAY = 300, 1.5

# Seconds that whatever is waited for may take; the same again as long as messages come in them.
PATIENCE = 120


def options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="the jackdaw to be tried")
    parser.add_argument("--server", choices=("prosody", "sasl2", "ejabberd", "cluster"), default="prosody")
    parser.add_argument("--messages", type=int, default=10_000, help="of both together (%(default)s)")
    parser.add_argument("--room-messages", type=int, default=0, help="of two others together, in a room; 0: there is none")
    parser.add_argument("--cuts", type=int, default=200)
    parser.add_argument("--kills", type=int, default=50, help="of clients, by SIGKILL")
    parser.add_argument("--stops", type=int, default=10, help="of clients, by SIGSTOP, for a moment")
    parser.add_argument("--restarts", type=int, default=3, help="of the server")
    parser.add_argument("--leaves", type=int, default=16, help="of clients, each way in its turn")
    parser.add_argument("--locks", type=int, default=6, help="of a client's database when it begins")
    parser.add_argument("--holds", type=int, default=6, help="of a client's database while it runs")
    parser.add_argument("--blocks", type=int, default=6, help="runs whose output nobody reads for a while")
    parser.add_argument("--changes", type=int, default=6, help="of a contact list while its owner is dead")
    parser.add_argument("--commands", type=int, default=40, help="single commands, some of them killed or cut")
    parser.add_argument("--agent", action="store_true", help="the single commands go through an agent, which is killed and stopped too")
    parser.add_argument("--bot-kills", type=int, default=8)
    parser.add_argument("--kill-server", action="store_true",
                        help="by SIGKILL half the time: one that dies between two of its archives loses what is in one only")
    parser.add_argument("--pace", type=float, default=0.3, help="seconds from one trouble to the next, about (%(default)s)")
    parser.add_argument("--seed", type=int, default=None, help="makes the same troubles in the same order")
    parser.add_argument("--keep", action="store_true", help="leaves the directory, with all output, though all is well")
    return parser.parse_args()


class Soak:
    def __init__(self, arguments, directory):
        self.arguments = arguments
        self.directory = directory
        self.random = random.Random(arguments.seed)
        self.passwords = {"alice": "wonderland", "bob": "builder", "carol": "singer"}
        if arguments.room_messages:
            self.passwords |= {"dave": "diver", "erin": "engineer"}
        self.server = server(arguments.server, directory, self.passwords)
        self.clients = []
        self.commands = None
        self.bot = None
        self.proxies = {}
        self.counts = dict.fromkeys(OPTIONS, 0)
        self.progress = 0.0

    @property
    def programs(self):
        return self.clients + ([self.bot] if self.bot else [])

    async def run(self):
        await self.server.start()
        await self.add_pair(Client, ("alice", "bob"), self.arguments.messages)
        if self.arguments.room_messages:
            await self.add_pair(RoomClient, ("dave", "erin"), self.arguments.room_messages)
        for number, client in enumerate(self.clients[2:]):
            await client.settle_in(is_first=number == 0)
        alice = self.clients[0]
        await self.add_commands("carol", alice)
        self.bot = Bot(alice, self.commands)
        for program in self.programs:
            await program.start()
        ticking = asyncio.create_task(self.tick())
        try:
            await self.either(asyncio.create_task(self.trouble()), ticking)
            self.progress = 1.0
            await self.either(asyncio.create_task(self.settled()), ticking)
        finally:
            ticking.cancel()
        for program in self.programs:
            await program.finish()
        await self.look_again()

    @staticmethod
    async def either(task, ticking):
        """Waits for the task, but not when there is nobody to go on ticking."""
        await asyncio.wait((task, ticking), return_when=asyncio.FIRST_COMPLETED)
        if ticking.done():
            task.cancel()
            ticking.result()
        task.result()

    async def way(self, name):
        """A way to the server for one account, and what a jackdaw has to be told to take it."""
        proxy = Proxy(self.server.address)
        await proxy.start()
        environment = {key: value for key, value in os.environ.items() if not key.startswith("JACKDAW_")}
        environment |= {
            "JACKDAW_JID": f"{name}@{self.server.domain}", "JACKDAW_PASSWORD": self.passwords[name],
            "JACKDAW_SERVER": f"127.0.0.1:{proxy.port}", "JACKDAW_CA_FILE": self.server.authority,
        }
        return proxy, environment

    async def add_pair(self, kind, names, messages):
        """Two who hear each other, and say so many messages together."""
        pair = []
        for name in names:
            proxy, environment = await self.way(name)
            program = os.path.abspath(self.arguments.program)
            client = kind(name, program, self.directory, environment, self.server, messages // 2)
            self.proxies[client] = proxy
            pair.append(client)
        pair[0].peer, pair[1].peer = pair[1], pair[0]
        self.clients += pair

    async def add_commands(self, name, peer):
        proxy, environment = await self.way(name)
        program = os.path.abspath(self.arguments.program)
        self.commands = Commands(name, program, self.directory, environment, proxy, self.arguments.agent)
        self.commands.peer = peer
        self.proxies[self.commands] = proxy

    async def tick(self):
        """Lets the clients say as much as the troubles have got on, and makes them come back at once."""
        while True:
            for program in self.programs:
                program.look()
                await program.revive()
                program.hurry()
            for client in self.clients:
                client.say(self.due(client))
            await asyncio.sleep(TICK)

    async def trouble(self):
        await self.until(
            lambda: self.bot.is_online and all(client.is_ready for client in self.clients), "the clients do not come online")
        all_troubles = list(troubles(self.arguments, self.clients, self.arguments.pace, self.random))
        maker = Troublemaker(self)
        for number, trouble in enumerate(all_troubles, 1):
            await asyncio.sleep(trouble.pause)
            await self.catch_up()
            await maker.make(trouble)
            self.counts[trouble.name] += 1
            self.progress = number / len(all_troubles)
        await maker.finished()

    async def catch_up(self):
        deadline = time.monotonic() + LEEWAY
        while time.monotonic() < deadline and any(
                client.arrived() + BACKLOG < self.due(client.peer) for client in self.clients):
            await asyncio.sleep(TICK)

    # The end.

    def due(self, client):
        """The last number that it may have said by now."""
        return int(client.total * self.progress)

    def is_quiet(self):
        """All that may be said by now has arrived, and is acknowledged."""
        return all(client.next > self.due(client) and client.arrived() >= self.due(client.peer) and client.waiting() == 0
                   for client in self.clients)

    async def settled(self):
        """All has arrived and is acknowledged; else what is missing is told by the checks."""
        await self.commands.settle()
        try:
            await self.until(self.is_quiet, "")
            await self.until(lambda: set(self.bot.numbers()) >= set(range(1, self.commands.kept() + 1)), "")
        except ClientFailure:
            print(f"soak: not all has arrived, and nothing has come for {PATIENCE} s", file=sys.stderr)

    async def look_again(self):
        """One more run each: what the server still has for it is nothing new, and whom it knows is what it was told."""
        for client in self.clients:
            await client.start()
        await self.until(self.all_look, "the clients do not come online once more")
        for client in self.clients:
            client.type("/friends list")
            await client.finish()

    def all_look(self):
        for client in self.clients:
            client.look()
        return all(client.is_ready for client in self.clients)

    async def until(self, condition, complaint):
        deadline, before = time.monotonic() + PATIENCE, None
        while not condition():
            if time.monotonic() > deadline:
                arrived = [client.arrived() for client in self.clients]
                if arrived == before:
                    raise ClientFailure(complaint)
                deadline, before = time.monotonic() + PATIENCE, arrived
            await asyncio.sleep(TICK)

    async def end(self):
        for program in self.programs:
            if program.process is not None and program.process.returncode is None:
                program.process.kill()
                await program.process.wait()
        if self.commands:
            await self.commands.end()
        for proxy in self.proxies.values():
            proxy.close()
        await self.server.end()

    def check(self, findings):
        for client in self.clients:
            others = [client.peer]
            if client is self.commands.peer:
                others.append(self.commands)
            check(client, {other.name: other.total if other is client.peer else other.kept() for other in others}, findings)
            check_friends(client, findings)
        check_bot(self.bot, self.commands.kept(), findings)
        for speaker in (*self.clients, self.commands):
            findings.complaints += speaker.complaints

    def report(self, findings, seconds):
        def total(state):
            return sum(program.counts[state] for program in self.programs)

        counts, fates = self.counts, self.commands.counts
        print(f"messages {sum(client.total for client in self.clients)} "
              f"({sum(client.total for client in self.clients[2:])} in a room), cuts {counts['cut']}, kills {counts['kill']}, "
              f"stops {counts['stop']}, server restarts {counts['restart']}, leaves {counts['leave']}, "
              f"locked starts {counts['lock']}, locked runs {counts['hold']}, blocked outputs {counts['block']}, contact lists changed {counts['change']}, "
              f"commands {sum(fates.values())} ({', '.join(f'{fate} {count}' for fate, count in fates.items() if count)}), bot kills {counts['bot']}, "
              f"resumes {total('resumed')}, fresh log-ins {total('online')}, "
              f"runs without a first connection {total('unconnected')}, "
              f"thrown out for a run before {total('thrown_out')}, {seconds:.0f} s")
        print(f"lost {findings.lost}, doubled {findings.doubled}, out of order {findings.disordered} "
              f"(and {findings.swapped} as the server delivered them), shown again after a kill {findings.shown_again}, "
              f"handed over again after a kill {findings.handed_again}, sent back by the server though they arrived {findings.returned}")


async def main():
    arguments = options()
    if arguments.seed is None:
        arguments.seed = random.SystemRandom().randrange(1_000_000)
    print(f"soak: {arguments.server}, --seed {arguments.seed}", flush=True)
    directory = tempfile.mkdtemp(prefix="jackdaw-soak.")
    # The server's user passes through it to its own.
    os.chmod(directory, 0o711)
    soak, findings, began = Soak(arguments, directory), Findings(), time.monotonic()
    try:
        await soak.run()
    except (ClientFailure, ServerFailure, asyncio.TimeoutError) as failure:
        findings.complain(str(failure) or "something did not end in time")
    finally:
        await soak.end()
    if soak.bot:
        soak.check(findings)
        soak.report(findings, time.monotonic() - began)
    for complaint in findings.complaints:
        print(f"soak: {complaint}", file=sys.stderr)
    if findings.are_good and not arguments.keep:
        shutil.rmtree(directory)
    else:
        print(f"soak: all output is in {directory}", file=sys.stderr)
    return 0 if findings.are_good else 1


sys.exit(asyncio.run(main()))
