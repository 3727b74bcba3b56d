#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""A man in the middle who has the server's own certificate and key, for tests: TLS ends at him, and what is said within it he hands on over
TLS of his own.

middleman.py HOST PORT CERTIFICATE KEY

HOST and PORT are the server's for TLS from the first byte. Prints `port N`, where he listens for that on 127.0.0.1; then a line
`said TEXT` for each piece of what a client says to the server.
"""

import socket
import ssl
import sys
import threading

host, port, certificate, key = sys.argv[1:]

to_clients = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
to_clients.load_cert_chain(certificate, key)
to_server = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
to_server.check_hostname = False
to_server.verify_mode = ssl.CERT_NONE
for context in (to_clients, to_server):
    # The version that the servers of the tests bind log-ins to.
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["xmpp-client"])


def carry(source, target, is_told):
    try:
        while data := source.recv(65536):
            if is_told:
                print("said", ascii(data.decode(errors="replace")), flush=True)
            target.sendall(data)
    except (OSError, ValueError):
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def serve(connection):
    try:
        client = to_clients.wrap_socket(connection, server_side=True)
        server = to_server.wrap_socket(socket.create_connection((host, int(port))))
    except OSError:
        connection.close()
        return
    threading.Thread(target=carry, args=(server, client, False), daemon=True).start()
    carry(client, server, True)


listener = socket.create_server(("127.0.0.1", 0))
print("port", listener.getsockname()[1], flush=True)
while True:
    accepted, _ = listener.accept()
    threading.Thread(target=serve, args=(accepted,), daemon=True).start()
