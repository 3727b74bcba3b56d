# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""measure.py JACKDAW SUPPORT WORK ROUNDS: what goes through the agent, on a Prosody.

The round trip is what `ping` says through the agent. Wall time is from the start of the process to its end, processor's time that of
the process alone, not of the agent; both by themselves and through the agent in turns. Medians.

Prints lines of NAME VALUE."""

import os
import pathlib
import signal
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from programs import Lines  # noqa: E402

IDLE = 20


class Bench:
    def __init__(self, jackdaw, support, work, rounds):
        self.jackdaw, self.work, self.rounds = jackdaw, pathlib.Path(work), int(rounds)
        self.server = Lines(
            f"{support}/Servers/prosody.sh", "--domain", "bench.test",
            *(word for name in ("alice", "bob", "carol", "dave") for word in ("--account", f"{name}:secret")))
        self.server.await_line("ready")
        facts = dict(line.strip().split("=", 1) for line in self.server.seen if "=" in line)
        runtime = self.work / "runtime"
        runtime.mkdir(mode=0o700)
        names = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "JACKDAW_"))}
        self.environment = {
            **names, "HOME": str(self.work), "LANG": "C.UTF-8", "XDG_RUNTIME_DIR": str(runtime),
            "JACKDAW_CONFIG": str(self.work / "config.toml"), "JACKDAW_DATA_DIR": str(self.work / "data"),
            "SSL_CERT_FILE": facts["ca"], "SSL_CERT_DIR": str(self.work)}
        self.sockets = runtime / "jackdaw"
        with open(self.work / "config.toml", "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write('default_account = "alice"\n')
            for name in ("alice", "bob", "carol", "dave"):
                file.write(
                    f'[accounts.{name}]\njid = "{name}@bench.test"\npassword = "secret"\n'
                    f'server = "{facts["address"]}:{facts["port"]}"\nca_file = "{facts["ca"]}"\n')

    def run(self, *words, alone=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL):
        """Seconds of wall and of processor's time, to the end, which has to be a good one; and what it printed."""
        environment = {**self.environment, **({"JACKDAW_NO_AGENT": "1"} if alone else {})}
        start = time.monotonic()
        process = subprocess.Popen([self.jackdaw, *words], stdin=stdin, stdout=stdout, env=environment)
        output = process.stdout.read().decode() if process.stdout else ""
        _, status, usage = os.wait4(process.pid, 0)
        if status != 0:
            raise SystemExit(f"{words} ended with {status}")
        return time.monotonic() - start, usage.ru_utime + usage.ru_stime, output

    def agent(self, *words, sockets):
        process = subprocess.Popen(
            [self.jackdaw, "agent", "run", *words], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment)
        end = time.monotonic() + 30
        while not self.sockets.is_dir() or sum(path.is_socket() for path in self.sockets.iterdir()) < sockets:
            if time.monotonic() > end:
                raise SystemExit("the agent does not begin")
            time.sleep(0.01)
        return process

    def sends(self):
        agent = self.agent(sockets=1)
        alone, through, trips = [], [], []
        for _ in range(self.rounds):
            alone.append(self.run("send", "bob@bench.test", "Hello", alone=True))
            through.append(self.run("send", "bob@bench.test", "Hello"))
            line = self.run("ping", stdout=subprocess.PIPE)[2]
            trips.append(float(line.split("\t")[1].split()[0]))
        wall = statistics.median(one[0] for one in through) * 1000
        print("round_trip_ms", round(statistics.median(trips), 2))
        print("through_ms", round(wall, 2))
        print("over_round_trip_ms", round(wall - statistics.median(trips), 2))
        print("processor_ms", round(statistics.median(one[1] for one in through) * 1000, 2))
        by_itself = statistics.median(one[0] for one in alone) * 1000
        print("alone_ms", round(by_itself, 2))
        print("alone_processor_ms", round(statistics.median(one[1] for one in alone) * 1000, 2))
        print("alone_vs_agent", round(by_itself / wall, 2), flush=True)
        self.end(agent)

    @staticmethod
    def end(agent):
        agent.send_signal(signal.SIGTERM)
        agent.wait(30)

    def idle(self):
        agent = self.agent("--account", "alice", "--account", "carol", "--account", "dave", sockets=3)
        time.sleep(5)
        before = self.switches(agent.pid)
        time.sleep(IDLE)
        print("idle_wakeups", self.switches(agent.pid) - before)
        with open(f"/proc/{agent.pid}/smaps_rollup") as file:
            private = sum(int(line.split()[1]) for line in file if line.startswith("Private_"))
        print("idle_private_mb", round(private / 1024, 1), flush=True)
        self.end(agent)

    @staticmethod
    def switches(process):
        """How often a thread of it went to sleep by itself."""
        count = 0
        for task in pathlib.Path(f"/proc/{process}/task").iterdir():
            status = (task / "status").read_text()
            count += int(status.split("voluntary_ctxt_switches:")[1].split()[0])
        return count


bench = Bench(*sys.argv[1:])
bench.sends()
bench.idle()
bench.server.end()
