# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""measure.py JACKDAW STROPHE HERE SUPPORT WORK ROUNDS: one message, from the start of a program to its end, on a Prosody.

The server is Debian's, with the modules for log-ins in one exchange. Every program sends the same text to the same person; all but
go-sendxmpp, which cannot, wait until the server has it. They run in turns. The time is that of the wall and the processor's.

Prints lines of NAME VALUE, and writes WORK/programs.tsv: NAME, median and quartiles of the wall's time, median of the processor's, in
ms."""

import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from programs import Lines  # noqa: E402

USER, DOMAIN, PASSWORD, RECIPIENT = "alice", "bench.test", "correct horse battery staple", "bob@bench.test"
TEXT = "One message, and out."


class Bench:
    def __init__(self, jackdaw, strophe, here, support, work, rounds):
        self.jackdaw, self.strophe, self.here, self.work, self.rounds = (
            jackdaw, strophe, pathlib.Path(here), pathlib.Path(work), int(rounds))
        self.server = Lines(
            f"{support}/Servers/prosody.sh", "--community", "--domain", DOMAIN, "--account", f"{USER}:{PASSWORD}",
            "--account", "bob:secret")
        self.server.await_line("ready")
        self.facts = dict(line.strip().split("=", 1) for line in self.server.seen if "=" in line)
        self.names = {
            name: value for name, value in os.environ.items()
            if not name.startswith(("XDG_", "JACKDAW_", "SSL_CERT_"))}
        self.names.update(HOME=str(self.work), LANG="C.UTF-8")
        self.only_ours = {"SSL_CERT_FILE": self.facts["ca"], "SSL_CERT_DIR": str(self.work)}
        self.configure("first", self.facts["port"], "starttls")
        self.configure("second", self.facts["direct_port"], "direct")
        self.configure("agent", self.facts["direct_port"], "direct")

    def configure(self, name, port, tls):
        """An account in a file, with its password."""
        with open(self.work / f"{name}.toml", "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write(
                f'[accounts.me]\njid = "{USER}@{DOMAIN}"\npassword = "{PASSWORD}"\ntls = "{tls}"\n'
                f'server = "{self.facts["address"]}:{port}"\nca_file = "{self.facts["ca"]}"\n')

    def time(self, words, environment, stdin=None):
        """Milliseconds of wall and of processor's time, to the end, which has to be a good one."""
        start = time.monotonic()
        process = subprocess.Popen(
            words, stdin=subprocess.PIPE if stdin else subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env=environment)
        if stdin:
            process.stdin.write(stdin.encode())
            process.stdin.close()
        _, status, usage = os.wait4(process.pid, 0)
        if status != 0:
            raise SystemExit(f"{words} ended with {status}")
        return (time.monotonic() - start) * 1000, (usage.ru_utime + usage.ru_stime) * 1000

    def jackdaw_environment(self, way):
        places = {"JACKDAW_CONFIG": str(self.work / f"{way}.toml"), "JACKDAW_DATA_DIR": str(self.work / way)}
        return {**self.names, **places, **({} if way == "agent" else {"JACKDAW_NO_AGENT": "1"})}

    def agent(self, command):
        """Starts the one that a way goes through, or stops it."""
        subprocess.run(
            [self.jackdaw, "agent", command], env=self.jackdaw_environment("agent"), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, check=True)

    def send(self, way):
        if way == "first":
            shutil.rmtree(self.work / way, ignore_errors=True)
        return self.time([self.jackdaw, "send", RECIPIENT, TEXT], self.jackdaw_environment(way))

    def libstrophe(self, environment):
        words = [self.strophe, self.facts["port"], "starttls", self.facts["ca"], self.facts["address"]]
        return self.time(words, {**self.names, **environment})

    def go(self):
        words = [
            "go-sendxmpp", "-u", f"{USER}@{DOMAIN}", "-p", PASSWORD, "-j", f"{self.facts['address']}:{self.facts['port']}",
            RECIPIENT]
        return self.time(words, {**self.names, **self.only_ours}, stdin=TEXT)

    def slixmpp(self):
        words = [
            "/usr/bin/python3", "-B", str(self.here / "slixmpp_send.py"), f"{USER}@{DOMAIN}", PASSWORD, self.facts["address"],
            self.facts["port"], self.facts["ca"], RECIPIENT, TEXT]
        return self.time(words, {**self.names, **self.only_ours})

    def round_trips(self):
        """Those that TLS 1.3 takes, and those that `account check` counts behind it."""
        lines = subprocess.run(
            [self.jackdaw, "account", "check"], env=self.jackdaw_environment("second"), stdin=subprocess.DEVNULL, check=True,
            capture_output=True, text=True).stdout.splitlines()
        found = {line.split("\t")[1]: line.split("\t")[2] for line in lines}
        if not found["tls"].startswith("TLSv1.3") or "token" not in found["sasl"]:
            raise SystemExit(f"not the log-in that is to be counted: {found}")
        return 1 + int(found["bind"].split(", ")[1].split()[0])

    def run(self):
        ways = {
            "jackdaw, nothing kept": lambda: self.send("first"),
            "jackdaw, with what an earlier one left": lambda: self.send("second"),
            "jackdaw, through an agent": lambda: self.send("agent"),
            "libstrophe": lambda: self.libstrophe({}),
            "libstrophe, no system's authorities": lambda: self.libstrophe(self.only_ours),
            "go-sendxmpp": self.go,
            "slixmpp": self.slixmpp,
        }
        self.agent("start")
        found = {name: [] for name in ways}
        for round in range(self.rounds + 1):
            for name, way in ways.items():
                figures = way()
                # The first brings files into memory, and leaves what the second one finds.
                if round > 0:
                    found[name].append(figures)
        self.agent("stop")
        wall = {name: statistics.median(one[0] for one in all) for name, all in found.items()}
        processor = {name: statistics.median(one[1] for one in all) for name, all in found.items()}
        with open(self.work / "programs.tsv", "w") as file:
            for name, all in found.items():
                low, _, high = statistics.quantiles([one[0] for one in all], n=4)
                file.write(f"{name}\t{wall[name]:.1f}\t{low:.1f}\t{high:.1f}\t{processor[name]:.1f}\n")
        for name in ways:
            print("#", name, f"{wall[name]:.1f} ms, processor {processor[name]:.1f} ms")
        first, second, through = list(ways)[:3]
        fastest = min(value for name, value in wall.items() if not name.startswith("jackdaw") and "," not in name)
        print("first_vs_fastest", round_to(wall[first] / fastest))
        print("first_vs_libstrophe_alone", round_to(wall[first] / wall["libstrophe, no system's authorities"]))
        print("second_vs_fastest", round_to(wall[second] / fastest))
        print("agent_vs_fastest", round_to(wall[through] / fastest))
        print("first_cpu_vs_libstrophe", round_to(processor[first] / processor["libstrophe"]))
        print("second_cpu_vs_libstrophe", round_to(processor[second] / processor["libstrophe"]))
        print("round_trips", self.round_trips(), flush=True)
        self.server.end()


def round_to(value):
    return round(value, 3)


Bench(*sys.argv[1:]).run()
