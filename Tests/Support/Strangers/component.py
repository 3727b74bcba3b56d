#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""A whole domain of strangers, for tests: a component of a server (XEP-0114) in whose name anybody may write. Does what lines on
standard input say.

component.py DOMAIN SECRET HOST PORT

    flood JID COUNT TIMES       s0 … s(COUNT - 1) each ask to be JID's friend, all in turn, TIMES times over, and then again
                                and again until `enough`; prints `asked` once the server has dealt with all of it
    enough                      the flood may end
    told TYPE                   prints `told TYPE PEOPLE STANZAS`: how many of them have been sent presence of that type,
                                and how often in all
    ping JID COUNT              s0 asks JID so many times whether it is there; prints `pinged RESULTS ERRORS` once all are answered
    write DOMAIN XML            sends this as it is; prints `asked` once the server of that domain has dealt with it
    capabilities JID COUNT BYTES
                                s0 comes online for JID with so many clients, one after the other, each with a hash of what it can do
                                (XEP-0115) that nobody has seen before; who asks for it gets an answer of about so many bytes, and the
                                hash is right; prints `asked` once the server has dealt with the presences
    card XML                    from now on their vCards are this, as it is
    asked                       prints `described COUNT`: how often somebody asked for these
    seen JID                    prints `seen COUNT`: how many stanzas they were sent by clients of JID
    questions                   prints `questions COUNT`: how many requests (`iq`) they were sent; each was refused

Prints `online`; `failed WHAT` when there is nothing to go on with.
"""

import base64
import collections
import hashlib
import itertools
import select
import socket
import sys
import xml.etree.ElementTree as ElementTree
from xml.sax.saxutils import quoteattr

ACCEPT = "{jabber:component:accept}"
DISCO = "{http://jabber.org/protocol/disco#info}"
CARD = "{vcard-temp}"

# Bytes that wait to be taken by the socket before more of a flood is made.
OUTPUT_AHEAD = 65536


def tell(*words):
    print(*words, flush=True)


class Component:
    def __init__(self, domain, secret, host, port):
        self.domain = domain
        self.secret = secret
        self.told = collections.defaultdict(collections.Counter)
        self.questions = 0
        # By the address without its resource, of stanzas that clients sent.
        self.seen = collections.Counter()
        # What is behind hashes, by the node that is asked for.
        self.descriptions = {}
        self.described = 0
        self.card = None
        self.pings = 0
        self.answers = collections.Counter()
        self.awaited = 0
        self.is_online = False
        self.parser = ElementTree.XMLPullParser(("start", "end"))
        self.depth = 0
        self.output = bytearray()
        self.flood = iter(())
        self.is_enough = False
        self.input = b""
        self.socket = socket.create_connection((host, int(port)))
        self.socket.setblocking(False)
        self.send(
            "<stream:stream xmlns='jabber:component:accept' xmlns:stream='http://etherx.jabber.org/streams'"
            f" to={quoteattr(domain)}>"
        )

    def send(self, text):
        self.output += text.encode()

    def run(self):
        commands = sys.stdin.buffer.raw
        while True:
            while len(self.output) < OUTPUT_AHEAD and (stanza := next(self.flood, None)):
                self.send(stanza)
            readers = [self.socket, commands] if self.is_online else [self.socket]
            readable, writable, _ = select.select(readers, [self.socket] if self.output else [], [])
            if writable:
                del self.output[: self.socket.send(self.output)]
            if self.socket in readable:
                data = self.socket.recv(65536)
                if not data:
                    tell("failed the server closed the stream")
                    return
                self.receive(data)
            if commands in readable:
                data = commands.read(65536)
                if not data:
                    return
                *lines, self.input = (self.input + data).split(b"\n")
                for line in lines:
                    command, _, rest = line.decode().partition(" ")
                    if command == "write":
                        domain, _, stanza = rest.partition(" ")
                        self.send(stanza + self.ping(domain))
                    elif command == "card":
                        self.card = rest
                    else:
                        self.obey(command, *rest.split())

    def receive(self, data):
        self.parser.feed(data)
        for event, element in self.parser.read_events():
            if event == "start":
                self.depth += 1
                if self.depth == 1:
                    digest = hashlib.sha1((element.get("id") + self.secret).encode()).hexdigest()
                    self.send(f"<handshake>{digest}</handshake>")
                    self.stream = element
            else:
                self.depth -= 1
                if self.depth == 1:
                    self.stanza(element)
                    self.stream.clear()

    def stanza(self, element):
        kind = element.get("type")
        sender, _, resource = element.get("from", "").partition("/")
        if resource:
            self.seen[sender] += 1
        if element.tag == ACCEPT + "handshake":
            self.is_online = True
            tell("online")
        elif element.tag == ACCEPT + "presence":
            self.told[kind][element.get("to").split("/")[0]] += 1
        elif element.tag == ACCEPT + "iq" and (description := self.description(element)):
            self.described += 1
            self.send(
                f"<iq type='result' id={quoteattr(element.get('id'))} from={quoteattr(element.get('to'))}"
                f" to={quoteattr(element.get('from'))}>{description}</iq>"
            )
        elif element.tag == ACCEPT + "iq" and kind in ("get", "set"):
            self.questions += 1
            addresses = " ".join(f"{key}={quoteattr(element.get(other))}" for key, other in (("from", "to"), ("to", "from")))
            self.send(
                f"<iq type='error' id={quoteattr(element.get('id'))} {addresses}><error type='cancel'>"
                "<service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>"
            )
        elif element.tag == ACCEPT + "iq" and element.get("id") == f"ping{self.pings}":
            tell("asked")
        elif element.tag == ACCEPT + "iq" and element.get("id").startswith("there"):
            self.answers[kind] += 1
            if self.answers.total() == self.awaited:
                tell("pinged", self.answers["result"], self.answers["error"])

    def requests(self, jid, count, times):
        """The stanzas of a flood, one after the other."""
        for turn in itertools.count():
            if turn >= times and self.is_enough:
                break
            for number in range(count):
                yield f"<presence type='subscribe' from='s{number}@{self.domain}' to={quoteattr(jid)}/>"
        # Stanzas between two are dealt with in their order (RFC 6120 10.1).
        yield self.ping(jid.partition("@")[2])

    def description(self, element):
        if self.card and element.find(CARD + "vCard") is not None:
            return self.card
        query = element.find(DISCO + "query")
        return self.descriptions.get(query.get("node")) if query is not None else None

    def clients(self, jid, count, size):
        """Presences of clients that each can do other things."""
        for number in range(count):
            names = [f"urn:x:{number:04}:{feature:06}" for feature in range(size // 40)]
            text = "client/pc//flood<" + "".join(name + "<" for name in names)
            ver = base64.b64encode(hashlib.sha1(text.encode()).digest()).decode()
            node = f"urn:flood#{ver}"
            features = "".join(f"<feature var='{name}'/>" for name in names)
            self.descriptions[node] = (
                f"<query xmlns='http://jabber.org/protocol/disco#info' node='{node}'>"
                f"<identity category='client' type='pc' name='flood'/>{features}</query>"
            )
            yield (
                f"<presence from='s0@{self.domain}/c{number}' to={quoteattr(jid)}>"
                f"<c xmlns='http://jabber.org/protocol/caps' hash='sha-1' node='urn:flood' ver='{ver}'/></presence>"
            )
        yield self.ping(jid.partition("@")[2].partition("/")[0])

    def ping(self, domain):
        self.pings += 1
        return (
            f"<iq type='get' id='ping{self.pings}' from={quoteattr(self.domain)} to={quoteattr(domain)}>"
            "<ping xmlns='urn:xmpp:ping'/></iq>"
        )

    def obey(self, command, *words):
        if command == "flood":
            self.is_enough = False
            self.flood = self.requests(words[0], int(words[1]), int(words[2]))
        elif command == "enough":
            self.is_enough = True
        elif command == "ping":
            self.answers.clear()
            self.awaited = int(words[1])
            self.flood = (
                f"<iq type='get' id='there{number}' from='s0@{self.domain}/x' to={quoteattr(words[0])}>"
                "<ping xmlns='urn:xmpp:ping'/></iq>"
                for number in range(self.awaited)
            )
        elif command == "capabilities":
            self.flood = self.clients(words[0], int(words[1]), int(words[2]))
        elif command == "asked":
            tell("described", self.described)
        elif command == "told":
            people = self.told[words[0]]
            tell("told", words[0], len(people), sum(people.values()))
        elif command == "seen":
            tell("seen", self.seen[words[0]])
        elif command == "questions":
            tell("questions", self.questions)
        else:
            tell("failed no such command", command)


if __name__ == "__main__":
    Component(*sys.argv[1:]).run()
