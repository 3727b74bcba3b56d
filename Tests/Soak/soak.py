#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""Two clients that say numbers to each other while connections are cut, clients killed and stopped, and the server is
restarted: at the end both must have each number once, in order, in the store and on the screen. `soak.py --help` lists
the options. Exits with 1 when something is lost, doubled or out of order."""

import argparse
import asyncio
import os
import random
import shutil
import sys
import tempfile
import time

from checks import Findings, check
from client import Client, ClientFailure
from proxy import CUTS, Proxy
from server import ServerFailure, server

TICK = 0.05

# Messages that one of them may be behind before the next trouble waits, and how many seconds it does: on a slow machine they
# would else be said when the troubles are over. No longer, as a connection that stands still may need the next cut to go on.
BACKLOG, LEEWAY = 300, 1.5

# Seconds that whatever is waited for may take; the same again as long as messages come in them.
PATIENCE = 120


def options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="the jackdaw to be tried")
    parser.add_argument("--server", choices=("prosody", "ejabberd", "cluster"), default="prosody")
    parser.add_argument("--messages", type=int, default=10_000, help="of both together (%(default)s)")
    parser.add_argument("--cuts", type=int, default=200)
    parser.add_argument("--kills", type=int, default=50, help="of clients, by SIGKILL")
    parser.add_argument("--stops", type=int, default=10, help="of clients, by SIGSTOP, for a moment")
    parser.add_argument("--restarts", type=int, default=3, help="of the server")
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
        self.passwords = {"alice": "wonderland", "bob": "builder"}
        self.server = server(arguments.server, directory, self.passwords)
        self.clients = []
        self.proxies = {}
        self.counts = dict.fromkeys(("cut", "kill", "stop", "restart"), 0)
        self.progress = 0.0

    async def run(self):
        await self.server.start()
        for name, password in self.passwords.items():
            await self.add_client(name, password)
        alice, bob = self.clients
        alice.peer, bob.peer = bob, alice
        for client in self.clients:
            await client.start()
        ticking = asyncio.create_task(self.tick())
        try:
            troubles = asyncio.create_task(self.trouble())
            await self.either(troubles, ticking)
            self.progress = 1.0
            await self.either(asyncio.create_task(self.settled()), ticking)
        finally:
            ticking.cancel()
        for client in self.clients:
            await client.finish()
        await self.look_again()

    @staticmethod
    async def either(task, ticking):
        """Waits for the task, but not when there is nobody to go on ticking."""
        await asyncio.wait((task, ticking), return_when=asyncio.FIRST_COMPLETED)
        if ticking.done():
            task.cancel()
            ticking.result()
        task.result()

    async def add_client(self, name, password):
        proxy = Proxy(self.server.address)
        await proxy.start()
        environment = {key: value for key, value in os.environ.items() if not key.startswith("JACKDAW_")}
        environment |= {
            "JACKDAW_JID": f"{name}@{self.server.domain}", "JACKDAW_PASSWORD": password,
            "JACKDAW_SERVER": f"127.0.0.1:{proxy.port}", "JACKDAW_CA_FILE": self.server.authority,
        }
        program = os.path.abspath(self.arguments.program)
        client = Client(name, program, self.directory, environment, self.server, self.arguments.messages // 2)
        self.clients.append(client)
        self.proxies[client] = proxy

    async def tick(self):
        """Lets the clients say as much as the troubles have got on, and makes them come back at once."""
        while True:
            for client in self.clients:
                client.look()
                await client.revive()
                client.hurry()
                client.say(self.due(client))
            await asyncio.sleep(TICK)

    # Troubles.

    async def trouble(self):
        await self.until(lambda: all(client.is_ready for client in self.clients), "the clients do not come online")
        wanted = self.arguments
        troubles = ["cut"] * wanted.cuts + ["kill"] * wanted.kills + ["stop"] * wanted.stops + ["restart"] * wanted.restarts
        self.random.shuffle(troubles)
        for number, trouble in enumerate(troubles, 1):
            # Each is the same, whatever comes of it, so that a seed gives the same ones again.
            pause, client = self.random.uniform(0, 2 * wanted.pace), self.random.choice(self.clients)
            kind, length, violently = self.random.choice(CUTS), self.random.uniform(0.1, 0.7), self.random.random() < 0.5
            await asyncio.sleep(pause)
            await self.catch_up()
            await getattr(self, trouble)(client, kind, length, violently)
            self.counts[trouble] += 1
            self.progress = number / len(troubles)

    async def cut(self, client, kind, length, _):
        proxy = self.proxies[client]
        while not await proxy.cut(kind, length):
            await self.until(lambda: proxy.is_used, f"{client.name} does not connect again")

    async def kill(self, client, *_):
        await client.kill()

    async def stop(self, client, _, length, __):
        process = client.process
        client.signal("SIGSTOP")
        await asyncio.sleep(length)
        if client.process is process:
            client.signal("SIGCONT")

    async def restart(self, _, __, ___, violently):
        if self.server.forgets:
            await self.until(self.is_quiet, "what was said does not arrive before the server's restart")
        await self.server.restart(violently and self.arguments.kill_server)

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
        try:
            await self.until(self.is_quiet, "")
        except ClientFailure:
            print(f"soak: not all has arrived, and nothing has come for {PATIENCE} s", file=sys.stderr)

    async def look_again(self):
        """One more run each: what the server still has for it is nothing new."""
        for client in self.clients:
            await client.start()
        await self.until(self.all_look, "the clients do not come online once more")
        for client in self.clients:
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
        for client in self.clients:
            if client.process is not None and client.process.returncode is None:
                client.process.kill()
                await client.process.wait()
        for proxy in self.proxies.values():
            proxy.close()
        await self.server.end()

    def report(self, findings, seconds):
        def total(state):
            return sum(client.counts[state] for client in self.clients)

        print(f"messages {sum(client.total for client in self.clients)}, cuts {self.counts['cut']}, "
              f"kills {self.counts['kill']}, stops {self.counts['stop']}, server restarts {self.counts['restart']}, "
              f"resumes {total('resumed')}, fresh log-ins {total('online')}, "
              f"runs without a first connection {total('unconnected')}, "
              f"thrown out for a run before {total('thrown_out')}, {seconds:.0f} s")
        print(f"lost {findings.lost}, doubled {findings.doubled}, out of order {findings.disordered} "
              f"(and {findings.swapped} as the server delivered them), shown again after a kill {findings.shown_again}")


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
    for client in soak.clients:
        check(client, findings)
    soak.report(findings, time.monotonic() - began)
    for complaint in findings.complaints:
        print(f"soak: {complaint}", file=sys.stderr)
    if findings.are_good and not arguments.keep:
        shutil.rmtree(directory)
    else:
        print(f"soak: all output is in {directory}", file=sys.stderr)
    return 0 if findings.are_good else 1


sys.exit(asyncio.run(main()))
