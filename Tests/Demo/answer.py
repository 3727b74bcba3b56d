#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""What bob says in the demo: `jackdaw listen --exec` gives a message as JSON on standard input, `--reply` sends back
what is printed here."""

import json
import sys

message = json.loads(sys.stdin.readline())
words = message["body"].strip()
lowered = words.lower()

if lowered.startswith(("hi", "hello", "hey", "good morning")):
    print("Hello alice! I am a small program behind another jackdaw. Ask me something, or write anything.")
elif words.endswith("?"):
    print("A good question. Yes, I think.")
elif any(word in lowered.split() for word in ("bye", "goodbye", "ciao")):
    print("See you! /quit ends this demo, and me with it.")
else:
    print(f"You wrote {len(words)} character{'s' if len(words) != 1 else ''}, and they all arrived: {words}")
