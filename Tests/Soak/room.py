# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""Somebody who says their numbers in a room, to all who are there."""

from client import Client


class RoomClient(Client):
    """They enter the room at every log-in, as it is bookmarked."""

    @property
    def room(self):
        return f"soak@rooms.{self.server.domain}"

    @property
    def talks_to(self):
        return self.room

    async def settle_in(self, is_first):
        """Makes the room, if it is the first to come, and bookmarks it."""
        await self.elsewhere("rooms", "create" if is_first else "join", self.room)
