# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""How long a typed key takes to the screen while a friend's messages arrive, at Jackdaw's prompt and at Profanity's:
echo.py JACKDAW SUPPORT WORK COUNT

Prints for each program the median, the 99th percentile and the longest, in milliseconds, and how many keys were typed. Sender, server
and program share the machine, so the figures err to the longer side.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from programs import KEYS, Lines, Prompt, measure_at_once  # noqa: E402

# Between two keys: faster than anybody types.
PAUSE = 0.01


def measure(name, prompt, flood):
    """Types keys from the first message to the last, and prints what they took."""
    flooding = threading.Thread(target=flood, daemon=True)
    flooding.start()
    measure_at_once()
    took = []
    while flooding.is_alive():
        key = KEYS[len(took) % len(KEYS)]
        if len(took) % len(KEYS) == 0:
            os.write(prompt.terminal, b"\x15")
        at = time.monotonic()
        prompt.type(key)
        prompt.await_text(key)
        took.append((time.monotonic() - at) * 1000)
        time.sleep(PAUSE)
    flooding.join()
    took.sort()
    print(f"{name}_keys {len(took)}")
    print(f"{name}_median_ms {took[len(took) // 2]:.2f}")
    print(f"{name}_p99_ms {took[len(took) * 99 // 100]:.2f}")
    print(f"{name}_longest_ms {took[-1]:.2f}", flush=True)


def main():
    # Else whoever reads and whoever types wait 5 ms for each other.
    sys.setswitchinterval(0.0005)
    jackdaw, support, work, count = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), int(sys.argv[4])
    server = Lines(
        f"{support}/Servers/prosody.sh", "--account", "alice:secret", "--account", "bob:secret", "--friends", "alice:bob",
        "--without", "mam", "--without", "offline")
    server.await_line("ready")
    facts = dict(line.strip().split("=", 1) for line in server.seen if "=" in line)
    domain = facts["domain"]
    common = ["--server", f"{facts['address']}:{facts['port']}", "--ca-file", facts["ca"]]

    def of(person):
        folder = work / person
        folder.mkdir(parents=True)
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "JACKDAW_"))}
        return {
            **environment, "HOME": str(folder), "LANG": "C.UTF-8", "TERM": "xterm-256color", "JACKDAW_PASSWORD": "secret",
            "JACKDAW_CONFIG": str(folder / "none")}

    script = work / "script"
    script.write_text(f"/to alice@{domain}\n" + "".join(f"number {number}\n" for number in range(count)) + "/ping\n")
    bob = of("bob")

    def flood():
        # Nothing of it is read here: what this program does meanwhile would be part of what a key takes.
        subprocess.run(
            [jackdaw, "-q", "run", "--jid", f"bob@{domain}/there", *common, script], env=bob, check=True, timeout=600,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    try:
        prompt = Prompt([jackdaw, "chat", f"bob@{domain}", "--jid", f"alice@{domain}/here", *common], of("alice"))
        prompt.await_text("online")
        measure("jackdaw", prompt, flood)
        prompt.quit()

        prompt = Prompt([shutil.which("profanity")], of("profanity"))
        prompt.await_text("Profanity")
        prompt.type(f"/connect alice@{domain}/prof server {facts['address']} port {facts['port']} tls trust\r")
        prompt.await_text("password")
        prompt.type("secret\r")
        prompt.await_text("logged in successfully")
        prompt.type(f"/msg bob@{domain}\r")
        prompt.await_text("bob")
        measure("profanity", prompt, flood)
        prompt.quit()
    finally:
        server.end()


main()
