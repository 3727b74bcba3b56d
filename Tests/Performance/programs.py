# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""Programs that a measurement drives: by lines, and at a terminal."""

import fcntl
import os
import pty
import signal
import struct
import subprocess
import termios
import threading
import time

# Characters that nobody else writes, each typed once in a while.
KEYS = "ąćęłńśźżďěňřšťůž"


def measure_at_once():
    """What this thread waits for a processor, behind the programs that it measures, is nothing of theirs. They have no share in it.

    Where that is not allowed, the figures have these waits in them.
    """
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    except PermissionError:
        pass


class Lines:
    """A program that is given lines and gives lines."""

    def __init__(self, *words, environment=None, errors=None):
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env=environment)
        self.seen = []
        # How many of these had been seen when it was last told something.
        self.told = 0
        self.changed = threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            with self.changed:
                self.seen.append(line.decode())
                self.changed.notify_all()

    def say(self, text):
        with self.changed:
            self.told = len(self.seen)
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def await_line(self, words, limit=120):
        """Waits until there is a line with these words that was not there when the program was last told something."""
        end = time.monotonic() + limit
        with self.changed:
            looked = self.told
            while True:
                for line in self.seen[looked:]:
                    if words in line:
                        return line
                looked = len(self.seen)
                if not self.changed.wait(end - time.monotonic()):
                    raise SystemExit(f"no line with {words!r}: {self.seen[-5:]}")

    def end(self):
        self.process.stdin.close()
        self.process.wait(30)


class Prompt:
    """The program at a terminal of 100 columns, whose output is read all the time."""

    def __init__(self, words, environment):
        self.id, self.terminal = pty.fork()
        if self.id == 0:
            os.execve(words[0], words, environment)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
        self.output = b""
        self.changed = threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        measure_at_once()
        while True:
            try:
                data = os.read(self.terminal, 65_536)
            except OSError:
                return
            if not data:
                return
            with self.changed:
                self.output = (self.output + data)[-1_000_000:]
                self.changed.notify_all()

    def type(self, text):
        """What comes from here on is new."""
        with self.changed:
            self.output = b""
        os.write(self.terminal, text.encode())

    def await_text(self, text, limit=120):
        with self.changed:
            if not self.changed.wait_for(lambda: text.encode() in self.output, limit):
                raise SystemExit(f"not shown: {text!r}: {self.output[-500:]!r}")

    def memory(self):
        """Bytes that only this process has, in RAM."""
        with open(f"/proc/{self.id}/smaps_rollup") as file:
            return sum(int(line.split()[1]) * 1024 for line in file if line.startswith("Private_"))

    def processor(self):
        with open(f"/proc/{self.id}/stat") as file:
            words = file.read().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def quit(self):
        self.type("\x15/quit\r")
        for _ in range(300):
            if os.waitpid(self.id, os.WNOHANG)[0]:
                return
            time.sleep(0.1)
        os.kill(self.id, signal.SIGKILL)
        os.waitpid(self.id, 0)
