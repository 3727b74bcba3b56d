#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""Has a copy of forkserver.py run a program of this folder at this one's standard streams. Each ends when the other does.

forked.py NAME PROGRAM ARGUMENT…
"""

import socket
import sys

name, *words = sys.argv[1:]
connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
connection.connect("\0" + name)
socket.send_fds(connection, ["\0".join(words).encode()], [0, 1, 2])
connection.recv(1)
