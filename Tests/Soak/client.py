# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""A jackdaw that says its numbers, and is stopped, killed, left and started anew while it does."""

import asyncio
import collections
import glob
import os
import sqlite3
import subprocess
import sys

from program import ClientFailure, Program

# Lines that are written ahead of what the store has: a kill loses these, and they are said again.
AHEAD = 400

# How somebody leaves: by the end of the script that is there, or by that of another run after it.
SCRIPT_WAYS = ("/quit", "end of input", "SIGTERM", "SIGINT", "SIGHUP")
WAYS = SCRIPT_WAYS + (
    "listen --for", "listen --count", "listen, SIGTERM", "listen, broken pipe", "prompt, /quit", "prompt, Ctrl-D", "prompt, closed terminal")

# What `listen --count` waits for at most: its peer may have nothing to say any more.
MOST_SECONDS = 2

INTERRUPTED = 130
# Nobody reads what it writes.
NO_READER = 74


class Client(Program):
    """The numbers are those of the lines that it says, from 1. It has what the store has: the rest is said again after a
    kill."""

    def __init__(self, name, program, directory, environment, server, total):
        home = os.path.join(directory, name)
        os.mkdir(home, 0o700)
        super().__init__(name, program, home, home_environment(home, environment), server)
        self.peer = None
        self.total = total
        self.next = 1
        # Somebody else has its database locked.
        self.is_locked = False
        self.path = None
        # What was found in its store, and the state of the store that it was found in.
        self.answers = {}
        # Names on its contact list, besides its peer, by address.
        self.friends = {}
        # What runs did wrong that the store does not show at the end.
        self.complaints = []

    @property
    def jid(self):
        return f"{self.name}@{self.server.domain}"

    @property
    def talks_to(self):
        return self.peer.jid

    async def start(self, held=0.0):
        await self.begin("run", "-", held=held)
        self.forget()
        self.next = self.kept() + 1
        # It goes online though it may have nothing to say any more.
        self.type("/reconnect", "/post x-ready", f"/to {self.talks_to}")

    def type(self, *lines):
        self.run.type("".join(line + "\n" for line in lines))

    def say(self, upto):
        """Says the next numbers, as far as that one."""
        if not self.run.is_ready or self.run.is_leaving or self.is_locked:
            return
        last = min(upto, self.total, self.kept() + AHEAD)
        if last >= self.next:
            self.type(*(f"{self.name} {number} " + "." * (number * 37 % 90) for number in range(self.next, last + 1)))
            self.next = last + 1

    def reconnect(self):
        # Before its first line is done, and behind its last, no line is read.
        if self.run.is_ready and not self.run.is_leaving:
            self.type("/reconnect")
        else:
            super().reconnect()

    # Leaving.

    async def leave(self, way, length):
        """Ends its script, or that and another run, in a certain way, and starts a new script."""
        async with self.changing:
            if way in SCRIPT_WAYS:
                await self._end_script(way)
            else:
                await self._end_script("end of input")
                await self._come_and_go(way, length)
            await self.start()

    async def finish(self):
        """At the end of its input it waits until the server has everything."""
        await self._end_script("end of input")
        if self.run.code != 0:
            raise ClientFailure(f"{self.name}: run {self.run.number} ended with {self.run.code}: {self.last_error()}")

    async def _end_script(self, way):
        codes = {0}
        if way == "/quit":
            self.type("/quit")
        elif way == "end of input":
            self.process.stdin.close()
        else:
            self.signal(way)
            codes.add(INTERRUPTED)
        await self.leaves(codes)
        # A signal may come before a line is read, and another code says that not all was done.
        if INTERRUPTED in codes or self.run.code != 0:
            return
        self.forget()
        if self.kept() < self.next - 1:
            self.complaints.append(f"{self.name}: run {self.run.number} was given the numbers up to {self.next - 1} and ended with 0, "
                                   f"but its store has those up to {self.kept()}")

    async def _come_and_go(self, way, length):
        """A run that shows what comes, and ends in the middle of it."""
        # One that never was online has no other code than that; the prompt's says whether all that was written has gone.
        codes = {0, INTERRUPTED}
        if way.startswith("prompt"):
            await self.begin(is_prompt=True)
            await asyncio.sleep(length)
            if way.endswith("terminal"):
                await self.run.lose_reader()
                codes.add(NO_READER)
            else:
                self.run.type("/quit\r" if way.endswith("/quit") else "\4")
        elif way == "listen --for":
            await self.begin("listen", "--for", f"{length:.2f}")
        elif way == "listen --count":
            await self.begin("listen", "--count", f"{1 + int(length * 50)}", "--for", f"{MOST_SECONDS}")
        elif way == "listen, broken pipe":
            # For a while the pipe is full, perhaps. It notices only when it has something to write.
            await self.begin("listen", "--for", f"{MOST_SECONDS}", held=length / 2)
            await asyncio.sleep(length)
            await self.run.lose_reader()
            codes.add(NO_READER)
        else:
            await self.begin("listen")
            await asyncio.sleep(length)
            self.signal("SIGTERM")
        await self.leaves(codes)

    # What may happen while it is dead.

    async def start_locked(self, length):
        """Its database is locked when it begins, and for a while."""
        self.forget()
        for value in (self.kept, self.arrived, self.waiting):
            value()
        self.is_locked = True
        lock = Lock(self.database())
        try:
            await self.start()
            self.run.was_locked = True
            await asyncio.sleep(length)
        finally:
            lock.release()
            self.is_locked = False

    async def hold(self, length):
        """Its database is locked for a while in the middle of what it does."""
        async with self.changing:
            if self.database() is None:
                return
            lock = Lock(self.database(), lets_read=True)
            self.run.was_locked = True
            try:
                await asyncio.sleep(length)
            finally:
                lock.release()

    async def start_after_change(self, number):
        """Its contact list is changed from elsewhere before it begins."""
        address, name = f"friend-{number // 2}@{self.server.domain}", f"name {number}"
        item = f"<item jid='{address}' name='{name}'/>"
        await self.elsewhere("xml", f"<iq type='set'><query xmlns='jabber:iq:roster'>{item}</query></iq>")
        self.friends[address] = name
        await self.start()

    async def elsewhere(self, *words):
        """One command of the same account, from a home of its own; again where a cut got in its way."""
        home = os.path.join(self.directory, "elsewhere")
        os.makedirs(home, 0o700, exist_ok=True)
        for _ in range(20):
            process = await asyncio.create_subprocess_exec(
                self.program, "-q", *words, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.PIPE, env=home_environment(home, self.environment))
            _, errors = await process.communicate()
            if process.returncode == 0:
                return
            await asyncio.sleep(0.2)
        raise ClientFailure(f"{self.name}: '{words[0]}' from elsewhere fails: {errors.decode(errors='replace').strip()}")

    # What is in its store.

    def database(self):
        if self.path is None:
            found = glob.glob(os.path.join(self.environment["JACKDAW_DATA_DIR"], "**", "*.sqlite3"), recursive=True)
            self.path = found[0] if found else None
        return self.path

    def query(self, sql, *values):
        """As it is; while the database is locked, as it was."""
        known, _ = self.answers.get((sql, values), (None, None))
        if not self.is_locked:
            # What comes between the two looks is found once more.
            state = state_of(self.database())
            if state is None or state != known:
                self.answers[sql, values] = state, query(self.database(), sql, *values)
        return self.answers[sql, values][1]

    def forget(self):
        """What a killed run wrote last may be found by the next who opens the store, and not be told by its state before that."""
        if not self.is_locked:
            self.answers.clear()

    def kept(self):
        """The last number that is in its store. They get there in their order."""
        return last_kept(self.query(LAST_KEPT))

    def arrived(self):
        """How many numbers of its peer's have come."""
        rows = self.query(
            "SELECT count(*) FROM message WHERE is_outgoing = 0 AND seq > 0 AND body LIKE ?", self.peer.name + " %")
        return rows[0][0] if rows else 0

    def waiting(self):
        rows = self.query("SELECT count(*) FROM outbox")
        return rows[0][0] if rows else 0


class Lock:
    """Keeps a database from everybody; where somebody else has it open, or with `lets_read`, from all who write."""

    # The databases that one keeps. Whoever closes a file loses what the same process has locked of it, whichever way that was opened
    # (fcntl(2)): meanwhile nothing but SQLite opens theirs.
    kept = collections.Counter()

    def __init__(self, path, lets_read=False):
        self.path = path
        Lock.kept[path] += 1
        self.database = None if lets_read else self.for_itself(path)
        if self.database is None:
            self.database = sqlite3.connect(path, isolation_level=None, timeout=10)
            self.database.execute("BEGIN IMMEDIATE")

    @staticmethod
    def for_itself(path):
        """None: somebody else has it open."""
        database = sqlite3.connect(path, isolation_level=None, timeout=0.05)
        try:
            database.execute("PRAGMA locking_mode = EXCLUSIVE")
            database.execute("BEGIN EXCLUSIVE")
            return database
        except sqlite3.OperationalError:
            database.close()
            return None

    def release(self):
        is_kept = subprocess.run([sys.executable, "-c", TAKE, self.path], stderr=subprocess.DEVNULL).returncode != 0
        self.database.execute("ROLLBACK")
        self.database.close()
        Lock.kept[self.path] -= 1
        if not is_kept:
            raise ClientFailure(f"{self.path}: another process could write, though it was locked")


# By another process, which alone is kept out.
TAKE = "import sqlite3, sys; sqlite3.connect(sys.argv[1], isolation_level=None, timeout=0).execute('BEGIN IMMEDIATE')"


# Bytes of that header, and where in it is how many frames the log has: https://sqlite.org/walformat.html, 2.1.
INDEX_HEADER, FRAMES = 48, slice(16, 20)

LAST_KEPT = "SELECT body FROM message WHERE is_outgoing = 1 AND seq > 0 ORDER BY seq DESC LIMIT 1"


def last_kept(rows):
    return int(rows[0][0].split()[1]) if rows else 0


def state_of(path):
    """What changes with each change that others can see: the beginning of the index of SQLite's log, which has the sum of all that is
    in it. To read that costs a hundredth of a query. None: only a query can tell."""
    if path is None or Lock.kept[path]:
        return None
    try:
        with open(path + "-shm", "rb", buffering=0) as index:
            header = index.read(2 * INDEX_HEADER)
    except FileNotFoundError:
        return None
    # It is there twice: where the two differ somebody is writing it. A log without frames says nothing of the database.
    is_whole = len(header) == 2 * INDEX_HEADER and header[:INDEX_HEADER] == header[INDEX_HEADER:]
    return header if is_whole and any(header[FRAMES]) else None


def query(path, sql, *values):
    if path is None:
        return []
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10)
    try:
        return database.execute(sql, values).fetchall()
    except sqlite3.OperationalError as error:
        # Its first run has not made the tables yet.
        if "no such table" in str(error):
            return []
        raise
    finally:
        database.close()


def home_environment(home, environment):
    """All that a jackdaw keeps is in that home."""
    return {**environment, **{
        f"XDG_{kind}_HOME": os.path.join(home, kind.lower()) for kind in ("CONFIG", "DATA", "STATE", "CACHE")
    }, "JACKDAW_CONFIG": os.path.join(home, "config.toml"), "JACKDAW_DATA_DIR": os.path.join(home, "data")}
