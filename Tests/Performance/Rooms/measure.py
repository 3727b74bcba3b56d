# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""measure.py JACKDAW STROPHE SUPPORT WORK ROUNDS: rooms of a component of a Prosody, and rooms of that itself.

Processor's time is that of the client alone, from its start to its end, less what the same takes with an empty room; Jackdaw's and
libstrophe's in turns. libstrophe is not to read the system's authorities, which would be most of its time; Jackdaw does not read them
either. The time to the log-in is that until a script's first line is done, by an account with ten rooms that it enters at each log-in
and one without, in turns; its spread is what lies between a quarter and three quarters of those of one without. Medians.

Prints lines of NAME VALUE."""

import os
import pathlib
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from programs import Lines  # noqa: E402

SERVICE = "crowd.bench.test"
OCCUPANTS = 1_000
# As many as it takes for an occupant's share to be seen.
MANY = 10_000
AUTOJOINED = 10


class Bench:
    def __init__(self, jackdaw, strophe, support, work, rounds):
        self.jackdaw, self.strophe, self.support = jackdaw, strophe, support
        self.work, self.rounds = pathlib.Path(work), int(rounds)
        self.server = Lines(
            f"{support}/Servers/prosody.sh", "--domain", "bench.test", "--account", "alice:secret", "--account", "bob:secret",
            "--component", SERVICE)
        self.server.await_line("ready")
        self.facts = dict(line.strip().split("=", 1) for line in self.server.seen if "=" in line)

    def environment(self, person):
        folder = self.work / person
        folder.mkdir(exist_ok=True)
        names = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "JACKDAW_"))}
        return {
            **names, "HOME": str(folder), "LANG": "C.UTF-8", "JACKDAW_JID": f"{person}@bench.test", "JACKDAW_PASSWORD": "secret",
            "JACKDAW_SERVER": f"{self.facts['address']}:{self.facts['port']}", "JACKDAW_CA_FILE": self.facts["ca"],
            "JACKDAW_CONFIG": str(folder / "none.toml"), "JACKDAW_DATA_DIR": str(folder / "data"),
            "SSL_CERT_FILE": self.facts["ca"], "SSL_CERT_DIR": str(folder)}

    def service(self, occupants):
        service = Lines(
            "/usr/bin/python3", "-B", f"{self.support}/Strangers/rooms.py", SERVICE, "component", self.facts["address"],
            self.facts["component_port"], str(occupants))
        service.await_line("online")
        return service

    def processor(self, words):
        """Seconds of it, to its end, which has to be a good one."""
        process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=self.environment("alice"))
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise SystemExit(f"{words[:3]} ended with {process.returncode}")
        return usage.ru_utime + usage.ru_stime

    # The measurements.

    def joining(self):
        room = f"room@{SERVICE}"
        times = {}
        for occupants in (0, OCCUPANTS):
            service = self.service(occupants)
            ways = {
                "jackdaw": [self.jackdaw, "-q", "rooms", "join", room, "--no-bookmark"],
                "libstrophe": [
                    self.strophe, self.facts["address"], self.facts["port"], self.facts["ca"], "alice@bench.test", "secret", room,
                    str(occupants)],
            }
            # The first round is for the page cache.
            rounds = [{name: self.processor(words) for name, words in ways.items()} for _ in range(self.rounds + 1)][1:]
            for name in ways:
                times[name, occupants] = statistics.median(one[name] for one in rounds)
            service.end()
        cost = {name: times[name, OCCUPANTS] - times[name, 0] for name in ("jackdaw", "libstrophe")}
        for name, seconds in cost.items():
            print(f"joining_{name}_ms {seconds * 1000:.2f}")
        print(f"joining_vs_libstrophe {cost['jackdaw'] / cost['libstrophe']:.2f}", flush=True)

    def memory(self):
        taken = {}
        for occupants in (0, MANY):
            service = self.service(occupants)
            script = Lines(self.jackdaw, "--json", "run", "-", environment=self.environment("alice"))
            script.say(f"/rooms join room@{SERVICE} --no-bookmark\n/post x-inside\n")
            script.await_line('"event":"x-inside"')
            with open(f"/proc/{script.process.pid}/smaps_rollup") as rollup:
                taken[occupants] = sum(int(line.split()[1]) * 1024 for line in rollup if line.startswith("Private_"))
            script.end()
            service.end()
        print(f"occupant_bytes {(taken[MANY] - taken[0]) / MANY:.0f}", flush=True)

    def login(self, person):
        """Seconds from the start of a script to the end of its first line."""
        begun = time.monotonic()
        script = Lines(self.jackdaw, "--json", "run", "-", environment=self.environment(person))
        script.say("/reconnect\n/post x-ready\n")
        script.await_line('"event":"x-ready"')
        took = time.monotonic() - begun
        script.end()
        return took

    def autojoining(self):
        # bob's rooms are his, and he has none of his other people's to wait for.
        script = Lines(self.jackdaw, "--json", "run", "-", environment=self.environment("bob"))
        for number in range(AUTOJOINED):
            script.say(f"/rooms create room{number}@rooms.bench.test\n")
        script.say("/post x-made\n")
        script.await_line('"event":"x-made"')
        script.end()
        rounds = [{name: self.login(name) for name in ("alice", "bob")} for _ in range(4 * self.rounds + 1)][1:]
        none, ten = ([one[name] * 1000 for one in rounds] for name in ("alice", "bob"))
        below, median, above = statistics.quantiles(none, n=4)
        more = statistics.median(ten) - median
        print(f"login_ms {median:.1f}\nlogin_spread_ms {above - below:.1f}\nautojoin_more_ms {more:.1f}")
        print(f"autojoin_vs_spread {more / (above - below):.2f}", flush=True)


def main():
    bench = Bench(*sys.argv[1:])
    try:
        bench.joining()
        bench.memory()
        bench.autojoining()
    finally:
        bench.server.end()


main()
