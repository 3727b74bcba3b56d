# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""Floods somebody at the prompt as strangers can, and prints what they notice of it: attack.py JACKDAW SUPPORT WORK

For each flood: how long a typed key takes to the screen at worst, a message of the user's to its reader, a friend's presence to the
screen; the program's private memory at its peak, its processor's time, and the size of the data folder. Server, strangers and program
share the machine: the figures are an upper bound.
"""

import os
import pathlib
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from programs import KEYS, Lines, Prompt, measure_at_once  # noqa: E402

DOMAIN = "strangers.test"


def stanzas(flood, to):
    """The stanzas of a flood, in the names of people of the strangers' domain."""
    bare = to.split("/")[0]

    def message(number, body, more=""):
        return f"<message type='chat' from='s{number}@{DOMAIN}' to='{bare}'><body>{number} {body}</body>{more}</message>"

    if flood == "presences":
        return (f"<presence from='s{number}@{DOMAIN}/x' to='{to}'><status>{'x' * 500}</status></presence>" for number in range(20_000))
    if flood == "requests":
        return (f"<presence type='subscribe' from='s{number}@{DOMAIN}' to='{bare}'/>" for number in range(2_000))
    if flood == "pings":
        return (
            f"<iq type='get' id='p{number}' from='s{number % 9}@{DOMAIN}/x' to='{to}'><ping xmlns='urn:xmpp:ping'/></iq>"
            for number in range(20_000)
        )
    if flood == "messages":
        return (message(number, "hello") for number in range(4_000))
    if flood == "long_messages":
        return (message(number, "x" * 240_000) for number in range(120))
    if flood == "links":
        return (message(number, "http://a.b/" * 22_000) for number in range(40))
    if flood == "lines":
        return (message(number, "x\n" * 60_000) for number in range(40))
    if flood == "attributes":
        many = "".join(f" a{number}=''" for number in range(140))
        return (message(number, "hello", f"<x xmlns='urn:x'{many}/>") for number in range(1_000))
    raise SystemExit(f"there is no flood {flood}")


FLOODS = ["presences", "requests", "pings", "messages", "long_messages", "links", "lines", "attributes", "capabilities"]


class Stranger:
    def __init__(self, support, facts):
        self.lines = Lines(
            sys.executable, "-B", f"{support}/Strangers/component.py", DOMAIN, "component", facts["address"], facts["component_port"])
        self.lines.await_line("online")
        self.domain = facts["domain"]

    def begin(self, flood, to):
        """Gives the component the whole flood, and comes back when the server has dealt with it."""
        if flood == "capabilities":
            # A contact, with hundreds of clients that each say that they can do other things.
            self.lines.say(f"capabilities {to.split('/')[0]} 240 60000\n")
            self.lines.await_line("asked", 600)
            return
        batch = []
        size = 0
        for stanza in stanzas(flood, to):
            batch.append(stanza)
            size += len(stanza)
            if size > 60_000:
                self.lines.say(self.line(batch))
                batch, size = [], 0
        self.lines.say(self.line(batch))
        self.lines.await_line("asked", 600)

    def line(self, batch):
        return f"write {self.domain} {''.join(batch)}".replace("\n", "&#10;") + "\n"


def attack(flood, jackdaw, support, facts, folder):
    environment = {**os.environ, "HOME": str(folder), "LANG": "C.UTF-8", "TERM": "xterm-256color"}
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        environment.pop(name, None)
    common = ["--server", f"{facts['address']}:{facts['port']}", "--ca-file", facts["ca"]]

    def of(person):
        data = folder / person
        data.mkdir(parents=True, exist_ok=True)
        return {**environment, "JACKDAW_DATA_DIR": str(data), "JACKDAW_PASSWORD": "secret", "JACKDAW_CONFIG": str(data / "none")}

    domain = facts["domain"]
    to = f"alice@{domain}/here"
    stranger = Stranger(support, facts)
    if flood == "capabilities":
        subprocess.run([jackdaw, "friends", "add", f"s0@{DOMAIN}", "--jid", to, *common], env=of("alice"), check=True,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        stranger.lines.say(stranger.line([f"<presence type='subscribed' from='s0@{DOMAIN}' to='{to.split('/')[0]}'/>"]))
        stranger.lines.await_line("asked")
    bob = Lines(jackdaw, "--json", "run", "--jid", f"bob@{domain}/there", *common, "-", environment=of("bob"), errors=subprocess.DEVNULL)
    bob.say("/ping\n")
    bob.await_line('"command":"ping"')
    prompt = Prompt([jackdaw, "chat", f"bob@{domain}", "--jid", to, *common], of("alice"))
    prompt.await_text("online")
    time.sleep(1)
    started = prompt.processor()

    flooding = threading.Thread(target=stranger.begin, args=(flood, to), daemon=True)
    flooding.start()
    measure_at_once()
    slowest = 0
    peak = 0
    begun = time.monotonic()
    typed = 0
    message = presence = None
    while flooding.is_alive() or typed < 40:
        key = KEYS[typed % len(KEYS)]
        if typed % len(KEYS) == 0:
            os.write(prompt.terminal, b"\x15")
        at = time.monotonic()
        prompt.type(key)
        prompt.await_text(key)
        slowest = max(slowest, time.monotonic() - at)
        peak = max(peak, prompt.memory())
        typed += 1
        if typed == 10:
            at = time.monotonic()
            prompt.type("\x15" + f"in the flood of {flood}\r")
            bob.await_line(f"in the flood of {flood}")
            message = time.monotonic() - at
        if typed == 20:
            at = time.monotonic()
            prompt.type("")
            bob.say("/status away\n")
            prompt.await_text("is away")
            presence = time.monotonic() - at
        time.sleep(0.05)
    flooding.join()
    # What came is stored and shown.
    time.sleep(2)
    peak = max(peak, prompt.memory())
    spent = prompt.processor() - started
    prompt.quit()
    bob.end()
    stranger.lines.end()
    size = sum(path.stat().st_size for path in (folder / "alice").rglob("*") if path.is_file())
    print(f"{flood}_key_ms {slowest * 1000:.0f}")
    print(f"{flood}_message_s {message:.2f}")
    print(f"{flood}_presence_s {presence:.2f}")
    print(f"{flood}_private_memory_mb {peak / 1e6:.1f}")
    print(f"{flood}_processor_s {spent:.2f}")
    print(f"{flood}_seconds {time.monotonic() - begun:.1f}")
    print(f"{flood}_database_mb {size / 1e6:.1f}", flush=True)


def main():
    jackdaw, support, work = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    floods = os.environ.get("FLOODS", " ".join(FLOODS)).split()
    server = Lines(
        f"{support}/Servers/prosody.sh", "--account", "alice:secret", "--account", "bob:secret", "--friends", "alice:bob",
        "--component", DOMAIN, "--without", "offline")
    server.await_line("ready")
    facts = dict(line.strip().split("=", 1) for line in server.seen if "=" in line)
    facts.setdefault("domain", "jackdaw.test")
    try:
        for flood in floods:
            attack(flood, jackdaw, support, facts, work / flood)
    finally:
        server.end()


main()
