# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""slixmpp_send.py JID PASSWORD HOST PORT CA RECIPIENT TEXT: sends one message as `jackdaw send` does, with slixmpp."""

import asyncio
import sys

import slixmpp

jid, password, host, port, authorities, recipient, text = sys.argv[1:]


class Sender(slixmpp.ClientXMPP):
    def __init__(self):
        super().__init__(jid, password)
        self.ca_certs = authorities
        self.code = 1
        self.register_plugin("xep_0199")
        self.add_event_handler("session_start", self.start)

    async def start(self, _event):
        self.send_message(mto=recipient, mbody=text, mtype="chat")
        await self["xep_0199"].send_ping(self.boundjid.domain)
        self.code = 0
        self.disconnect()


sender = Sender()
sender.connect((host, int(port)))
asyncio.get_event_loop().run_until_complete(sender.disconnected)
sys.exit(sender.code)
