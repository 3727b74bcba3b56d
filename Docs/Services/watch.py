#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""A client of the agent: prints what comes, and answers 'ping' with 'pong'.  watch.py alice@example.org"""

import json
import os
import socket
import sys

agent = socket.socket(socket.AF_UNIX)
agent.connect(os.path.join(os.environ["XDG_RUNTIME_DIR"], "jackdaw", sys.argv[1]))


def say(**message):
    agent.sendall((json.dumps({"jsonrpc": "2.0", **message}) + "\n").encode())


# 'confirm': a message counts as seen once we say so, and comes again if this program is ended before.
say(id=1, method="listen", params={"arguments": ["--as", "watch.py"], "confirm": True})
seen = 0
for line in agent.makefile():
    message = json.loads(line)
    if message.get("method") == "event":
        event = message["params"]["object"]
        if event["event"] == "message":
            print(event["from"], event["body"], flush=True)
            # None: it came for this device, and we did not write it ourselves on another one.
            if event["body"] == "ping" and event["carbon"] is None:
                say(id=event["id"], method="send", params=[event["from"], "pong"])
        seen += 1
        say(method="written", params={"run": 1, "objects": seen})
    elif "error" in message:
        sys.exit(message["error"]["message"])
