#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""A client that is not ours (slixmpp, Debian's package), for tests: does what lines on standard input say, prints what it is
told as lines. It answers nobody by itself.

stranger.py JID PASSWORD HOST PORT CA_FILE

    subscribe JID [MESSAGE]     presence of that type; likewise subscribed, unsubscribe, unsubscribed
    remove JID                  removes the roster's entry
    say JID TEXT                sends a chat message
    status TEXT                 tells all contacts that
    greet JID TEXT              tells that one alone, contact or not
    card NAME                   publishes a vCard with that full name
    add JID                     the same as subscribe
    roster                      prints an `entry JID SUBSCRIPTION ASK` for each entry, a `question JID` for each who has asked
                                and waits for an answer, then `roster`
    displayed                   prints `displayed JID ID` for each conversation that the account's devices have read up to a message
                                of that archive id (XEP-0490), `failed displayed WHY` where the server does not say, then `displayed`
    display JID ID              publishes that
    settle                      prints `settled` once the server has dealt with all before it
    quit

Prints `online`; `presence TYPE FROM [STATUS]` for each presence; `message ID TEXT` for each message, with its archive id; `failed WHAT` for what the server refused.
"""

import asyncio
import ssl
import sys
import xml.etree.ElementTree as tree

# What would colour slixmpp's log: to load it takes a seventh of the time until it is there.
sys.modules["pygments"] = None

from slixmpp import ClientXMPP
from slixmpp.exceptions import IqError, IqTimeout

DISPLAYED = "urn:xmpp:mds:displayed:0"
STANZA_ID = "{urn:xmpp:sid:0}stanza-id"
STEPS = ("subscribe", "subscribed", "unsubscribe", "unsubscribed")


def tell(*words):
    print(*words, flush=True)


class Stranger(ClientXMPP):
    def __init__(self, jid, password):
        super().__init__(jid, password)
        self.questions = set()
        # The server's words. slixmpp's own roster has entries for whoever has asked, too.
        self.entries = {}
        self.add_event_handler("roster_update", self.listed)
        # Whoever asks waits for the test to say what becomes of it.
        self.roster.auto_authorize = None
        self.roster.auto_subscribe = False
        for plugin in ("xep_0030", "xep_0054", "xep_0060", "xep_0199"):
            self.register_plugin(plugin)
        self.add_event_handler("session_start", self.begin)
        self.add_event_handler("presence", self.told)
        self.add_event_handler("message", self.written)
        self.add_event_handler("failed_all_auth", lambda _: self.give_up("log-in refused"))
        self.add_event_handler("connection_failed", lambda error: self.give_up(f"no connection: {error}"))

    def give_up(self, reason):
        tell("failed", reason)
        self.loop.stop()

    async def begin(self, _):
        # Nobody else holds it for good, so that it could be gone while it waits for a line.
        self.task = asyncio.current_task()
        await self.get_roster()
        self.send_presence()
        tell("online")
        reader = asyncio.StreamReader()
        await self.loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        while line := await reader.readline():
            words = line.decode().rstrip("\n").split(" ", 2)
            try:
                if words[0] == "quit":
                    break
                await self.do(*words)
            except (IqError, IqTimeout) as error:
                tell("failed", words[0], getattr(error, "condition", "timeout"))
            except Exception as error:
                # Else asyncio keeps it to itself, and the test waits for an answer that never comes.
                self.give_up(f"{words[0]}: {error!r}")
                raise
        await self.disconnect()
        self.loop.stop()

    def listed(self, iq):
        for jid, item in iq["roster"]["items"].items():
            if item["subscription"] == "remove":
                self.entries.pop(str(jid), None)
            else:
                self.entries[str(jid)] = (item["subscription"], "asked" if item["ask"] == "subscribe" else "-")

    def told(self, presence):
        kind = presence["type"]
        if presence["from"].bare == self.boundjid.bare:
            return
        if kind == "subscribe":
            self.questions.add(presence["from"].bare)
        elif kind == "unsubscribe":
            self.questions.discard(presence["from"].bare)
        tell("presence", kind, presence["from"], presence["status"])

    def written(self, message):
        identifier = message.xml.find(STANZA_ID)
        if identifier is not None:
            tell("message", identifier.get("id"), message["body"])

    async def do(self, command, *words):
        if command in ("subscribed", "unsubscribed"):
            self.questions.discard(words[0])
        if command == "add":
            command = "subscribe"
        if command in STEPS:
            self.send_presence(pto=words[0], ptype=command, pstatus=words[1] if len(words) > 1 else None)
        elif command == "remove":
            await self.del_roster_item(words[0])
        elif command == "say":
            self.send_message(mto=words[0], mbody=words[1], mtype="chat")
        elif command == "status":
            self.send_presence(pstatus=" ".join(words))
        elif command == "greet":
            self.send_presence(pto=words[0], pstatus=words[1])
        elif command == "card":
            card = self["xep_0054"].make_vcard()
            card["FN"] = " ".join(words)
            await self["xep_0054"].publish_vcard(card)
        elif command == "roster":
            # Kept current by the server's pushes; asked for again, it may say that nothing has changed.
            for jid, entry in self.entries.items():
                tell("entry", jid, *entry)
            for jid in self.questions:
                tell("question", jid)
            tell("roster")
        elif command == "displayed":
            try:
                answer = await self["xep_0060"].get_items(self.boundjid.bare, DISPLAYED)
                items = answer["pubsub"]["items"]["substanzas"]
            except (IqError, IqTimeout) as error:
                # Without a node nobody has published any yet.
                items = []
                if (why := getattr(error, "condition", "timeout")) != "item-not-found":
                    tell("failed", "displayed", why)
            for item in items:
                identifier = item["payload"].find(STANZA_ID)
                assert identifier.get("by") == self.boundjid.bare
                tell("displayed", item["id"], identifier.get("id"))
            tell("displayed")
        elif command == "display":
            payload = tree.Element("{%s}displayed" % DISPLAYED)
            tree.SubElement(payload, STANZA_ID, by=self.boundjid.bare, id=words[1])
            await self["xep_0060"].publish(self.boundjid.bare, DISPLAYED, id=words[0], payload=payload)
        elif command == "settle":
            await self["xep_0199"].send_ping(self.boundjid.host, timeout=170)
            tell("settled")
        else:
            tell("failed", "no such command", command)


def main():
    jid, password, host, port, ca_file = sys.argv[1:]
    stranger = Stranger(jid, password)
    stranger.ca_certs = ca_file
    stranger.ssl_context.minimum_version = ssl.TLSVersion.TLSv1_2
    stranger.connect((host, int(port)))
    stranger.loop.run_forever()


main()
