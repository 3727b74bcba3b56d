#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""Somebody on an IRC server, for tests: sends each line of standard input as it is, prints each line that comes, and answers PING.

irc.py HOST PORT NICK

Prints `online` once the server has let them in, and `gone` at the end of the connection.
"""

import os
import select
import socket
import sys


def tell(text):
    print(text, flush=True)


def main():
    host, port, nick = sys.argv[1:]
    server = socket.create_connection((host, int(port)))

    def say(line):
        server.sendall(line.encode() + b"\r\n")

    say(f"NICK {nick}")
    say(f"USER {nick} 0 * :{nick}")
    heard = typed = b""
    while True:
        readable, _, _ = select.select([server, sys.stdin], [], [])
        if server in readable:
            data = server.recv(65536)
            if not data:
                return tell("gone")
            *lines, heard = (heard + data).split(b"\n")
            for line in lines:
                line = line.decode(errors="replace").rstrip("\r")
                words = line.split()
                if words[:1] == ["PING"]:
                    say("PONG" + line[len("PING"):])
                # RFC 2812 5.1: the end of the log-in, whether there is a message of the day or not.
                elif words[1:2] in (["376"], ["422"]):
                    tell("online")
                tell(line)
        if sys.stdin in readable:
            data = os.read(sys.stdin.fileno(), 65536)
            if not data:
                return
            *lines, typed = (typed + data).split(b"\n")
            for line in lines:
                say(line.decode())


main()
