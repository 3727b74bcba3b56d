# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""One process of a program's many: how it is started, where its output goes, and what that says."""

import asyncio
import fcntl
import json
import os
import pty
import select
import signal
import struct
import termios

# Of a pipe that is not read for a while: its smallest, so that it is full soon.
PIPE_BYTES = 4096

# Seconds until a process that is stopped writes nothing more, and what a terminal carries has come to its other end.
STOPPING = 0.1

# Of a terminal: no line of JSON is wrapped.
COLUMNS = 4000


class Run:
    """From the start of a process to its end."""

    def __init__(self, number, base):
        self.number = number
        # What it showed: lines of JSON, which a terminal has among what readline draws.
        self.path = base + ".jsonl"
        self.log = base + ".log"
        self.process = None
        # Where lines are typed: a terminal; else the process's standard input.
        self.terminal = None
        self.copier = None
        self.was_killed = False
        # Its database was locked meanwhile: what it showed then is noted later.
        self.was_locked = False
        # Nobody reads any more what it writes: what went out last may not be noted.
        self.lost_reader = False
        self.was_thrown_out = False
        # It was asked to end, and takes no line any more.
        self.is_leaving = False
        # Its first line, which waits for a connection and for all that a log-in asks for, is done.
        self.is_ready = False
        self.code = None

    async def start(self, words, environment, is_prompt=False, held=0.0):
        """`held`: for so many seconds nobody reads what it writes."""
        # It ends with the soak, however that ends; and by signals that whoever started the soak ignores, nohup say.
        words = ["setpriv", "--pdeathsig", "KILL", "env", "--default-signal=HUP,INT", *words]
        with open(self.path, "wb") as output, open(self.log, "wb") as errors:
            source, ours = output, []
            if is_prompt:
                self.terminal, source = pty.openpty()
                fcntl.ioctl(source, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
                environment = environment | {"TERM": "xterm"}
                ours = [source]
                self.copier = Copier(self.terminal, self.path, 0)
            elif held:
                end, source = os.pipe()
                fcntl.fcntl(source, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
                ours = [source]
                self.copier = Copier(end, self.path, held)
            self.process = await asyncio.create_subprocess_exec(
                *words, stdin=source if is_prompt else asyncio.subprocess.PIPE, stdout=source, stderr=errors,
                env=environment, start_new_session=True)
            for descriptor in ours:
                os.close(descriptor)

    def type(self, text):
        if self.process.returncode is not None:
            return
        if self.terminal is None:
            self.process.stdin.write(text.encode())
        else:
            os.write(self.terminal, text.encode())

    async def lose_reader(self):
        """Closes the terminal, or the pipe that it writes to, when all has been read that it wrote: it is stopped meanwhile."""
        self.lost_reader = True
        self.signal("SIGSTOP")
        await asyncio.sleep(STOPPING)
        self.copier.end()
        self.signal("SIGCONT")

    def signal(self, name):
        # Not by the process's own functions: these may take its end away from whoever waits for it.
        if self.process.returncode is None:
            try:
                os.kill(self.process.pid, signal.Signals[name])
            except ProcessLookupError:
                pass

    async def ended(self):
        """Waits for its end, and until all is in the file that it wrote."""
        self.code = await self.process.wait()
        if self.copier:
            await self.copier.finish()


class Copier:
    """Copies what a process writes into a file, from some seconds on."""

    def __init__(self, descriptor, path, delay):
        self.descriptor = descriptor
        self.path = path
        self.is_over = asyncio.Event()
        self.loop = asyncio.get_running_loop()
        self.later = self.loop.call_later(delay, self._begin)

    def _begin(self):
        self.later = None
        self.loop.add_reader(self.descriptor, self._copy)

    def _copy(self):
        try:
            data = os.read(self.descriptor, 65_536)
        except OSError:
            # What a terminal says when nobody has its other end any more.
            data = b""
        if data:
            with open(self.path, "ab") as output:
                output.write(data)
            return
        self._close()

    def _close(self):
        self.loop.remove_reader(self.descriptor)
        os.close(self.descriptor)
        self.is_over.set()

    def end(self):
        """Copies what is there, and reads nothing more."""
        if self.later:
            self.later.cancel()
            self._begin()
        while not self.is_over.is_set() and select.select([self.descriptor], [], [], 0)[0]:
            self._copy()
        if not self.is_over.is_set():
            self._close()

    async def finish(self):
        """The process has ended: what it wrote is still there."""
        if self.later:
            self.later.cancel()
            self._begin()
        await self.is_over.wait()


def events(lines, *names):
    """The events of these names among whole lines of output."""
    for line in lines:
        start = line.find(b'{"event":"')
        if start >= 0 and line[start + 10:line.find(b'"', start + 10)].decode(errors="replace") in names:
            event, _ = json.JSONDecoder().raw_decode(line[start:].decode())
            yield event


def lines_of(path):
    """The whole lines of a file: the last one of a run that was killed may have no end."""
    with open(path, "rb") as output:
        return output.read().split(b"\n")[:-1]
