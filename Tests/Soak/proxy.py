# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""A way through the loopback network to a server, cut whenever one likes and as networks do."""

import asyncio
import socket
import struct

# How a connection may end:
#   reset    both ends get RST, what was on the way is lost
#   close    both ends get FIN
#   silence  nothing goes through any more, then both ends get RST
#   half     the client gets RST; the server is told nothing and goes on believing in the connection for some seconds
CUTS = ("reset", "close", "silence", "half")

HALF_OPEN_SECONDS = 5


def reset(writer):
    """Ends a connection with RST; what waits to be sent is thrown away."""
    sock = writer.get_extra_info("socket")
    if sock is not None and sock.fileno() >= 0:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


class Link:
    """One connection: the client's end, the server's, and the two tasks that copy between them."""

    def __init__(self, client, server):
        self.client = client
        self.server = server
        self.tasks = []
        self.is_cut = False

    def stop_copying(self):
        self.is_cut = True
        for task in self.tasks:
            task.cancel()


class Proxy:
    """Listens on 127.0.0.1 for one client; `target` may be changed at any time, for the connections to come."""

    def __init__(self, target):
        self.target = target
        self.port = None
        self.links = set()
        self.later = set()
        self.listener = None

    async def start(self):
        self.listener = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self.listener.sockets[0].getsockname()[1]

    def close(self):
        self.listener.close()
        for link in list(self.links):
            self._end(link)
        for task in self.later:
            task.cancel()

    @property
    def is_used(self):
        return any(not link.is_cut for link in self.links)

    async def cut(self, kind, silence):
        """Cuts what there is; returns whether there was anything. `silence`: seconds, for that kind."""
        links = [link for link in self.links if not link.is_cut]
        for link in links:
            link.stop_copying()
        if kind == "silence" and links:
            await asyncio.sleep(silence)
        for link in links:
            if kind == "close":
                link.client.close()
                link.server.close()
            else:
                reset(link.client)
                if kind == "half":
                    task = asyncio.create_task(self._forget(link))
                    self.later.add(task)
                    task.add_done_callback(self.later.discard)
                    continue
                reset(link.server)
            self.links.discard(link)
        return bool(links)

    async def _forget(self, link):
        await asyncio.sleep(HALF_OPEN_SECONDS)
        self._end(link)

    def _end(self, link):
        link.stop_copying()
        reset(link.client)
        reset(link.server)
        self.links.discard(link)

    async def _accept(self, from_client, to_client):
        try:
            from_server, to_server = await asyncio.open_connection(*self.target)
        except OSError:
            return reset(to_client)
        link = Link(to_client, to_server)
        self.links.add(link)
        link.tasks = [
            asyncio.create_task(self._copy(link, from_client, to_server)),
            asyncio.create_task(self._copy(link, from_server, to_client)),
        ]

    async def _copy(self, link, source, sink):
        try:
            while data := await source.read(16_384):
                sink.write(data)
                await sink.drain()
        except OSError:
            pass
        # Whoever ended it: the other is told, once what was on the way is through.
        if not link.is_cut:
            link.is_cut = True
            link.client.close()
            link.server.close()
            self.links.discard(link)
