#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""A Python that has slixmpp (Debian's package) loaded. Copies of it run the programs of this folder that use it: to load it takes several
times as long as all else that most of them do.

forkserver.py NAME

Waits at the abstract socket of that name, and prints `ready`; ends with its standard input. Who comes (forked.py) sends its standard
streams with the program's name and arguments, between zeros, and stays: the copy ends when they do.
"""

import gc
import importlib
import os
import runpy
import select
import signal
import socket
import sys
import threading
import traceback

FOLDER = os.path.dirname(os.path.abspath(__file__))
# More than the kernel lets a program's arguments have here.
LARGEST_REQUEST = 65536
# What the programs use.
PLUGINS = (
    "xep_0004", "xep_0030", "xep_0045", "xep_0054", "xep_0060", "xep_0066", "xep_0085", "xep_0184", "xep_0199", "xep_0224", "xep_0249",
    "xep_0308", "xep_0333", "xep_0334", "xep_0353", "xep_0359", "xep_0382", "xep_0424", "xep_0428", "xep_0444", "xep_0461",
)


def end_with(connection):
    """Ends this process as if it were killed when whoever asked for it is."""
    connection.recv(1)
    os._exit(1)


def run(words, streams, connection):
    """What a copy does; returns its exit status."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    threading.Thread(target=end_with, args=(connection,), daemon=True).start()
    sys.argv = words
    try:
        runpy.run_path(os.path.join(FOLDER, words[0]), run_name="__main__")
        return 0
    except BaseException:
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()


def main(name):
    # What would colour slixmpp's log: to load it takes a seventh of the time.
    sys.modules["pygments"] = None
    for plugin in PLUGINS:
        importlib.import_module(f"slixmpp.plugins.{plugin}")
    # Nobody asks how a copy ended.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.bind("\0" + name)
    listener.listen(64)
    # Else each copy's first search for what may go would write to all of it, which they share with this process until then.
    gc.freeze()
    print("ready", flush=True)
    while 0 not in select.select([listener, 0], [], [])[0]:
        connection, _ = listener.accept()
        request, streams, _, _ = socket.recv_fds(connection, LARGEST_REQUEST, 3)
        # Whoever ended before that has sent nothing.
        if streams and os.fork() == 0:
            listener.close()
            os._exit(run(request.decode().split("\0"), streams, connection))
        for stream in streams:
            os.close(stream)
        connection.close()


main(*sys.argv[1:])
