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


class Lines:
    """A program that is given lines and gives lines."""

    def __init__(self, *words, environment=None, errors=None):
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env=environment)
        self.seen = []
        self.changed = threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            with self.changed:
                self.seen.append(line.decode())
                self.changed.notify_all()

    def say(self, text):
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def await_line(self, words, limit=120):
        """Waits until there is a line with these words, of which there may have been some."""
        with self.changed:
            if not self.changed.wait_for(lambda: any(words in line for line in self.seen), limit):
                raise SystemExit(f"no line with {words!r}: {self.seen[-5:]}")
            return next(line for line in self.seen if words in line)

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
