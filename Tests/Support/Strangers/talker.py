#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""Somebody whose client is slixmpp (Debian's package), for tests: sends each kind of message as slixmpp's plugins make it, tells of each
message that comes what stands in it, and confirms as slixmpp does those that ask for a receipt.

talker.py JID PASSWORD HOST PORT CA_FILE

Each line on standard input is an object of JSON: `do` is one of KINDS, `to` whom it goes to, `id` its own id, `about` the id of the
message that it is about, `text` what is said. {"do": "settle"} prints `settled` once the server has dealt with all before it;
{"do": "quit"} leaves.

{"do": "invite", "room": …} makes a room that invites `to`.

Prints `online`; for each message one object of JSON: `name`, `namespace`, `attributes`, `text` and `children`, each of which is the same;
beside it an object for what slixmpp's own plugins make of one: `plugin`, which is `fallback` for a text that stands for what a program
may not know (XEP-0428), and `text`; `failed WHAT` where there is nothing to go on with.
"""

import asyncio
import json
import ssl
import sys
import xml.etree.ElementTree as tree

# What would colour slixmpp's log: to load it takes a seventh of the time until it is there.
sys.modules["pygments"] = None

from slixmpp import ClientXMPP
from slixmpp.xmlstream.handler import Callback
from slixmpp.xmlstream.matcher import MatchXPath, StanzaPath

PLUGINS = (
    "xep_0004", "xep_0030", "xep_0045", "xep_0066", "xep_0085", "xep_0184", "xep_0199", "xep_0224", "xep_0249", "xep_0308", "xep_0333",
    "xep_0334", "xep_0353", "xep_0359", "xep_0382", "xep_0424", "xep_0428", "xep_0444", "xep_0461",
)


def tell(*words):
    print(*words, flush=True)


def described(element):
    namespace, _, name = element.tag[1:].rpartition("}")
    return {
        "name": name,
        "namespace": namespace,
        # Servers keep no order of them.
        "attributes": dict(sorted(element.attrib.items())),
        "text": element.text or "",
        "children": [described(child) for child in element],
    }


# What each kind adds to a message: the stanza, the id that it is about, its text.


def correction(message, about, text):
    message["body"] = text
    message["replace"]["id"] = about


def reply(message, about, text):
    """The text is what is quoted, and the answer on the line below it."""
    quote, answer = text.split("\n")
    message["body"] = f"> {quote}\n{answer}"
    message["reply"]["id"] = about
    message["reply"]["to"] = message["to"]
    # slixmpp knows no ranges of a fallback.
    fallback = tree.SubElement(message.xml, "{urn:xmpp:fallback:0}fallback", {"for": "urn:xmpp:reply:0"})
    tree.SubElement(fallback, "{urn:xmpp:fallback:0}body", start="0", end=str(len(quote) + 3))


def reaction(message, about, text):
    message.client["xep_0444"].set_reactions(message, about, text.split())
    message.enable("store")


def retraction(message, about, text):
    """As slixmpp's plugin sends it: of a version before 0.4, with a text for others."""
    message["body"] = "This person attempted to retract a previous message, but your client does not support it."
    message.enable("fallback")
    message["apply_to"]["id"] = about
    message["apply_to"].enable("retract")
    message.enable("store")


def present_retraction(message, about, text):
    """As the specification has it from version 0.4 on, which slixmpp 1.8 does not know."""
    namespace = "urn:xmpp:message-retract:1"
    message["body"] = "This person attempted to retract a previous message, but your client does not support it."
    fallback = tree.SubElement(message.xml, "{urn:xmpp:fallback:0}fallback", {"for": namespace})
    tree.SubElement(fallback, "{urn:xmpp:fallback:0}body")
    tree.SubElement(message.xml, f"{{{namespace}}}retract", id=about)
    message.enable("store")


def nonsense(message, about, text):
    message["body"] = text


def subject(message, about, text):
    message["subject"], message["body"] = text.split("\n")


def link(message, about, text):
    message["body"] = text
    message["oob"]["url"] = text


def spoiler(message, about, text):
    hint, message["body"] = text.split("\n")
    message.enable("spoiler")
    message["spoiler"].xml.text = hint


def encrypted(message, about, text):
    message["body"] = text
    # slixmpp's own plugin takes the attributes for the element's name and namespace.
    tree.SubElement(message.xml, "{urn:xmpp:eme:0}encryption", namespace="eu.siacs.conversations.axolotl", name="OMEMO")


def state(message, about, text):
    message["chat_state"] = text


def receipt(message, about, text):
    message["receipt"] = about


def marker(message, about, text):
    message["displayed"]["id"] = about


def text(message, about, text):
    message["body"] = text
    message["request_receipt"] = True
    message.enable("markable")


KINDS = {
    kind.__name__: kind
    for kind in (
        text, correction, reply, reaction, retraction, present_retraction, nonsense, subject, link, spoiler, encrypted, state, receipt,
        marker,
    )
}


class Talker(ClientXMPP):
    def __init__(self, jid, password):
        super().__init__(jid, password)
        for plugin in PLUGINS:
            self.register_plugin(plugin)
        self.register_handler(Callback("each message", MatchXPath("{jabber:client}message"), self.told))
        self.register_handler(Callback("each fallback", StanzaPath("message/fallback"), self.read_fallback))
        self.add_event_handler("session_start", self.begin)
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
            command = json.loads(line)
            if command["do"] == "quit":
                break
            if command["do"] == "settle":
                await self["xep_0199"].send_ping(self.boundjid.host, timeout=170)
                tell("settled")
            elif command["do"] == "invite":
                await self.invite(command["to"], command["room"])
            elif command["do"] == "enter":
                rooms = self["xep_0045"]
                entry = await rooms.join_muc_wait(command["room"], command["nick"], timeout=170)
                if 201 in entry[0]["muc"]["status_codes"]:
                    await rooms.set_room_config(command["room"], self["xep_0004"].make_form(ftype="submit"))
                tell("entered")
            elif command["do"] == "remove":
                await self["xep_0045"].set_role(command["room"], command["nick"], "none", reason="enough")
            else:
                self.say(**command)
        await self.disconnect()
        self.loop.stop()

    def say(self, do, to, id, about="", text="", type="chat"):
        message = self.make_message(mto=to, mtype=type)
        message["id"] = id
        message.client = self
        KINDS[do](message, about, text)
        message.send()

    async def invite(self, person, room):
        """Makes a room, and has it invite somebody (XEP-0045 7.8.2)."""
        rooms = self["xep_0045"]
        await rooms.join_muc_wait(room, "talker", timeout=170)
        await rooms.set_room_config(room, self["xep_0004"].make_form(ftype="submit"))
        rooms.invite(room, person, reason="Join us")

    def read_fallback(self, message):
        tell(json.dumps({"plugin": "fallback", "text": message["body"]}))

    def told(self, message):
        tell(json.dumps(described(message.xml), ensure_ascii=False))


def main():
    jid, password, host, port, ca_file = sys.argv[1:]
    talker = Talker(jid, password)
    talker.ca_certs = ca_file
    talker.ssl_context.minimum_version = ssl.TLSVersion.TLSv1_2
    talker.connect((host, int(port)))
    talker.loop.run_forever()


main()
