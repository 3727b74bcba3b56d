#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""A service of rooms (XEP-0045), for tests: a component of a server (XEP-0114). Whoever enters a room of it finds so many others there,
who are nobody's. It keeps nothing, and knows nobody any more when it has ended.

rooms.py DOMAIN SECRET HOST PORT OCCUPANTS

Besides what component.py does, lines on standard input:

    say ROOM NICK TEXT          somebody says this in the room
    churn ROOM TIMES            all others leave it and come back, one after the other, so often; prints `asked` once the server has
                                dealt with it

Prints `entered ROOM NICK` and `left ROOM NICK`, and `said ROOM NICK TEXT` for what those who entered say.
"""

import hashlib
import itertools
import sys
from xml.sax.saxutils import escape, quoteattr

from component import ACCEPT, Component, tell

MUC = "http://jabber.org/protocol/muc"
INFORMATION = "http://jabber.org/protocol/disco#info"
STANZAS = "urn:ietf:params:xml:ns:xmpp-stanzas"


def addresses(sender, to):
    return f"from={quoteattr(sender)} to={quoteattr(to)}"


class Rooms(Component):
    def __init__(self, domain, secret, host, port, occupants):
        super().__init__(domain, secret, host, port)
        self.occupants = int(occupants)
        # Who has entered which room, by their addresses: the nick.
        self.rooms = {}

    def stanza(self, element):
        name = element.tag.removeprefix(ACCEPT)
        room, _, nick = element.get("to", "").partition("/")
        if name == "presence" and "@" in room:
            self.present(element.get("from"), room, nick, element.get("type"))
        elif name == "message" and element.get("type") == "groupchat":
            self.said(element, room)
        elif name == "iq" and element.get("type") == "get":
            self.asked(element, room, nick)
        else:
            super().stanza(element)

    # Who is there.

    def present(self, jid, room, nick, kind):
        inside = self.rooms.setdefault(room, {})
        if kind is None and jid not in inside:
            inside[jid] = nick
            tell("entered", room, nick)
            others = (self.occupant(room, number, jid) for number in range(self.occupants))
            self.flood = itertools.chain(self.flood, others, (self.entry(room, nick, jid),))
        elif kind == "unavailable" and jid in inside:
            nick = inside.pop(jid)
            tell("left", room, nick)
            self.send(self.presence(room, nick, jid, "<status code='110'/>", "unavailable", "none"))

    def entry(self, room, nick, jid):
        """What comes last of entering: oneself, and the topic."""
        topic = f"<message type='groupchat' {addresses(room, jid)}><subject/></message>"
        return self.presence(room, nick, jid, "<status code='110'/>") + topic

    def occupant(self, room, number, jid, kind=None):
        shown = f" jid='someone{number}@example.org/phone'"
        return self.presence(room, f"occupant number {number}", jid, "", kind, "participant" if kind is None else "none", shown)

    @staticmethod
    def presence(room, nick, jid, more, kind=None, role="participant", shown=""):
        identifier = hashlib.sha256(nick.encode()).hexdigest()[:43]
        kind = f" type='{kind}'" if kind else ""
        return (
            f"<presence{kind} {addresses(f'{room}/{nick}', jid)}><x xmlns='{MUC}#user'><item affiliation='none' role='{role}'{shown}/>"
            f"{more}</x><occupant-id xmlns='urn:xmpp:occupant-id:0' id='{identifier}'/></presence>"
        )

    def churn(self, room, times):
        for _, number, jid, kind in itertools.product(
            range(times), range(self.occupants), self.rooms.get(room, ()), ("unavailable", None)
        ):
            yield self.occupant(room, number, jid, kind)
        yield self.ping(next(iter(self.rooms[room])).partition("@")[2].partition("/")[0])

    # What they say and ask.

    def said(self, element, room):
        jid = element.get("from")
        nick = self.rooms.get(room, {}).get(jid)
        identifier = quoteattr(element.get("id", ""))
        if nick is None:
            self.send(
                f"<message type='error' id={identifier} {addresses(room, jid)}>"
                f"<error type='modify'><not-acceptable xmlns='{STANZAS}'/></error></message>"
            )
            return
        text = element.findtext(ACCEPT + "body")
        if text is not None:
            tell("said", room, nick, text)
            self.say(room, nick, text, identifier)

    def say(self, room, nick, text, identifier):
        for jid in self.rooms.get(room, ()):
            self.send(
                f"<message type='groupchat' id={identifier} {addresses(f'{room}/{nick}', jid)}><body>{escape(text)}</body></message>"
            )

    def asked(self, element, room, nick):
        jid = element.get("from")
        about = f"id={quoteattr(element.get('id'))} {addresses(element.get('to'), jid)}"
        if element[0].tag == f"{{{INFORMATION}}}query":
            self.send(
                f"<iq type='result' {about}><query xmlns='{INFORMATION}'><identity category='conference' type='text'/>"
                f"<feature var='{MUC}'/><feature var='urn:xmpp:occupant-id:0'/></query></iq>"
            )
        elif nick and self.rooms.get(room, {}).get(jid) == nick:
            # Of oneself (XEP-0410).
            self.send(f"<iq type='result' {about}/>")
        else:
            self.send(f"<iq type='error' {about}><error type='cancel'><not-acceptable xmlns='{STANZAS}'/></error></iq>")

    def obey(self, command, *words):
        if command == "say":
            self.say(words[0], words[1], " ".join(words[2:]), quoteattr(f"said{next(self.numbers)}"))
        elif command == "churn":
            self.flood = itertools.chain(self.flood, self.churn(words[0], int(words[1])))
        else:
            super().obey(command, *words)

    numbers = itertools.count()


if __name__ == "__main__":
    Rooms(*sys.argv[1:]).run()
