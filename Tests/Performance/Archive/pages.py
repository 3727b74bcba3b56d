# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""pages.py HOST PORT DOMAIN USER PASSWORD: asks a server for its whole archive backwards, by direct TLS, and looks at nothing but the end of
each page: what the server delivers at most. Prints `server_rate MESSAGES-A-SECOND` and `server_messages COUNT`."""

import base64
import re
import socket
import ssl
import sys
import time

PAGE = 100


class Stream:
    def __init__(self, host, port, domain):
        context = ssl._create_unverified_context()
        self.socket = context.wrap_socket(socket.create_connection((host, port)), server_hostname=domain)
        self.domain = domain
        self.buffer = b""

    def send(self, text):
        self.socket.sendall(text.encode())

    def until(self, pattern):
        """What comes up to the end of a match, and the match."""
        searched = 0
        while True:
            match = pattern.search(self.buffer, searched)
            if match:
                text, self.buffer = self.buffer[:match.end()], self.buffer[match.end():]
                return text, match
            searched = max(0, len(self.buffer) - 400)
            read = self.socket.recv(1 << 20)
            if not read:
                raise SystemExit("the server ended the stream")
            self.buffer += read

    def open(self):
        self.send(f"<stream:stream to='{self.domain}' version='1.0' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>")
        self.until(re.compile(rb"</stream:features>"))


def main():
    host, port, domain, user, password = sys.argv[1:]
    stream = Stream(host, int(port), domain)
    stream.open()
    secret = base64.b64encode(f"\0{user}\0{password}".encode()).decode()
    stream.send(f"<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>{secret}</auth>")
    stream.until(re.compile(rb"<success[^>]*>"))
    stream.open()
    stream.send("<iq type='set' id='bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>")
    stream.until(re.compile(rb"</iq>"))
    end = re.compile(rb"<fin[^>]*>.*?</fin></iq>", re.DOTALL)
    before, count, number = "<before/>", 0, 0
    start = time.monotonic()
    while True:
        number += 1
        stream.send(
            f"<iq type='set' id='q{number}'><query xmlns='urn:xmpp:mam:2' queryid='q{number}'>"
            f"<set xmlns='http://jabber.org/protocol/rsm'><max>{PAGE}</max>{before}</set></query></iq>")
        text, match = stream.until(end)
        count += text.count(b"</forwarded>")
        first = re.search(rb"<first[^>]*>([^<]*)</first>", match.group())
        if not first or re.search(rb"<fin[^>]*complete=['\"]true", match.group()):
            break
        before = f"<before>{first.group(1).decode()}</before>"
    print(f"server_rate {count / (time.monotonic() - start):.0f}")
    print(f"server_messages {count}")


main()
