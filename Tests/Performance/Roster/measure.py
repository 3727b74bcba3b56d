# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""measure.py JACKDAW STROPHE DIRECTORY ROUNDS: logs in with contact lists of several sizes, in turns with a libstrophe
program, against a server that only answers. DIRECTORY has ca.pem, server.pem and server.key, and gets Jackdaw's data.

Jackdaw's is a first log-in each time: it takes the whole list and stores it, which libstrophe does not. `jackdaw_again` is the
log-in after it, at which the server says that nothing has changed (RFC 6121 2.6), `jackdaw_listing` one more, at which everyone is
listed, and `jackdaw_anew` one at a server that sends the whole list again. The libstrophe program
is not to read the system's authorities, which would be most of its time; Jackdaw does not read them either.

Memory is what no other process shares, Private_Dirty and Private_Clean of /proc/PID/smaps_rollup, in runs of their own: it is read
all the while, so the peak is never more than the truth.

Prints a table, and for measure.sh lines of NAME VALUE."""

import base64
import multiprocessing
import os
import re
import shutil
import socket
import ssl
import statistics
import sys

SIZES = (1_000, 10_000, 50_000)
# libstrophe's time grows with the square of the list: 50,000 would take minutes.
COMPARED = 10_000
# Runs of each kind in which the memory is read.
MEMORY_ROUNDS = 5
VERSION = "v1"
GROUPS = ("Friends", "Family", "Work", "People from the choir")
SUBSCRIPTIONS = ("both", "both", "to", "from", "none")
HEADER = (
    "<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' "
    "from='bench.test' id='stream' version='1.0'><stream:features>%s</stream:features>"
)


def contact_list(size):
    """The children of the query, as a server writes them."""
    return "".join(
        f"<item jid='contact{number}@example{number % 40}.org' name='Contact Number {number}' "
        f"subscription='{SUBSCRIPTIONS[number % 5]}'><group>{GROUPS[number % 4]}</group></item>"
        for number in range(size)
    )


def attribute(stanza, name):
    found = re.search(name + r"\s*=\s*['\"]([^'\"]*)", stanza)
    return found.group(1) if found else ""


def answer(stanza, items, versions):
    """What the server says to a stanza of a client that has logged in.

    :param versions: whether it knows what has changed since a version of the contact list."""
    identifier = attribute(stanza, " id")
    if "xmpp-bind" in stanza:
        resource = re.search("<resource>([^<]*)", stanza)
        jid = "alice@bench.test/" + (resource.group(1) if resource else "given")
        return (
            f"<iq type='result' id='{identifier}'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><jid>{jid}</jid></bind></iq>"
        )
    if "jabber:iq:roster" in stanza:
        if versions and attribute(stanza, " ver") == VERSION:
            return f"<iq type='result' id='{identifier}'/>"
        return f"<iq type='result' id='{identifier}'><query xmlns='jabber:iq:roster' ver='{VERSION}'>{items}</query></iq>"
    return f"<iq type='result' id='{identifier}' from='bench.test'/>" if identifier else ""


def serve_one(connection, context, items, versions):
    """One client from its header to its end."""
    stage = "clear"
    pending = ""
    while True:
        data = connection.recv(65536)
        if not data:
            return
        pending += data.decode()
        while True:
            match = re.match(r"\s*(<\?xml[^>]*>|<stream:stream[^>]*>|</stream:stream>|<(\w+)[^>]*?/>|<(\w+).*?</\3>)", pending, re.S)
            if match is None:
                break
            stanza = match.group(1)
            pending = pending[match.end() :]
            if stanza.startswith("<?xml"):
                continue
            if stanza.startswith("</stream"):
                connection.sendall(b"</stream:stream>")
                return
            if stanza.startswith("<stream"):
                offer = {
                    "clear": "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>",
                    "secure": "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><mechanism>PLAIN</mechanism></mechanisms>",
                    "known": "<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/><ver xmlns='urn:xmpp:features:rosterver'/>",
                }[stage]
                reply = HEADER % offer
            elif stanza.startswith("<starttls"):
                connection.sendall(b"<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>")
                connection = context.wrap_socket(connection, server_side=True)
                stage, pending, reply = "secure", "", ""
            elif stanza.startswith("<auth"):
                assert base64.b64decode(re.search(">([^<]*)<", stanza).group(1)) == b"\0alice\0secret"
                stage, reply = "known", "<success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>"
            else:
                reply = answer(stanza, items, versions)
            connection.sendall(reply.encode())


def serve(listener, directory, size, versions):
    """Serves one client after the other, for ever."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{directory}/server.pem", f"{directory}/server.key")
    items = contact_list(size)
    while True:
        connection, _ = listener.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            serve_one(connection, context, items, versions)
        except OSError:
            pass
        finally:
            connection.close()


def run(words, environment):
    """Runs a program to its end.

    :return: its processor time in milliseconds."""
    _, status, usage = os.wait4(start(words, environment), 0)
    see_success(words, status)
    return (usage.ru_utime + usage.ru_stime) * 1000


def start(words, environment):
    nothing = os.open(os.devnull, os.O_RDWR)
    child = os.posix_spawn(words[0], words, environment, file_actions=[(os.POSIX_SPAWN_DUP2, nothing, 0), (os.POSIX_SPAWN_DUP2, nothing, 1)])
    os.close(nothing)
    return child


def see_success(words, status):
    if status != 0:
        sys.exit(f"measure: {words[0]} did not end well: {status}")


def peak_memory(words, environment):
    """Runs a program to its end, and reads its memory without a pause; the last reading is while it ends.

    :return: the most that it had for itself alone, and the most of it that it had written, in KB."""
    child = start(words, environment)
    # The file belongs to the memory that the process has now: the program, as posix_spawn has returned.
    rollup = os.open(f"/proc/{child}/smaps_rollup", os.O_RDONLY)
    private = written = 0
    ended = 0
    while ended == 0:
        try:
            text = os.pread(rollup, 4096, 0)
        except ProcessLookupError:
            text = b""
        sizes = {name: int(size) for name, size in re.findall(rb"Private_(Clean|Dirty): +(\d+)", text)}
        if sizes:
            private, written = max(private, sum(sizes.values())), max(written, sizes[b"Dirty"])
        ended, status = os.waitpid(child, os.WNOHANG)
    os.close(rollup)
    see_success(words, status)
    return private, written


def main():
    jackdaw, strophe, directory, rounds = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
    data = f"{directory}/data"
    medians = {}
    peaks = {}
    for size in SIZES:
        servers, ports = [], []
        for versions in (True, False):
            listener = socket.create_server(("127.0.0.1", 0))
            ports.append(listener.getsockname()[1])
            servers.append(multiprocessing.Process(target=serve, args=(listener, directory, size, versions), daemon=True))
            servers[-1].start()
            listener.close()
        port = ports[0]
        ours = {
            "PATH": os.environ["PATH"], "HOME": directory, "JACKDAW_DATA_DIR": data, "JACKDAW_CONFIG": f"{directory}/none.toml",
            "JACKDAW_JID": "alice@bench.test", "JACKDAW_PASSWORD": "secret", "JACKDAW_SERVER": f"127.0.0.1:{port}",
            "JACKDAW_CA_FILE": f"{directory}/ca.pem",
        }
        anew = ours | {"JACKDAW_SERVER": f"127.0.0.1:{ports[1]}"}
        theirs = {"PATH": os.environ["PATH"], "SSL_CERT_FILE": os.devnull, "SSL_CERT_DIR": os.devnull}
        open(f"{directory}/none.toml", "a").close()
        # A group that nobody is in: the list is fetched and searched, and printing is not measured.
        listing = [jackdaw, "friends", "list", "--group", "nobody is in it"]
        runs = {
            "jackdaw": (listing, ours), "jackdaw_again": (listing, ours), "jackdaw_listing": ([jackdaw, "friends", "list"], ours),
            "jackdaw_anew": (listing, anew),
        }
        if size <= COMPARED:
            runs["libstrophe"] = ([strophe, str(port), f"{directory}/ca.pem", str(size)], theirs)
        times = {name: [] for name in runs}
        memory = {name: (0, 0) for name in runs}
        for turn in range(rounds + 1):
            shutil.rmtree(data, ignore_errors=True)
            results = {name: run(*words) for name, words in runs.items()}
            # The first turn warms the caches up.
            if turn > 0:
                for name, result in results.items():
                    times[name].append(result)
        for turn in range(MEMORY_ROUNDS):
            shutil.rmtree(data, ignore_errors=True)
            for name, words in runs.items():
                memory[name] = tuple(map(max, memory[name], peak_memory(*words)))
        for server in servers:
            server.terminate()
        for name in runs:
            medians[name, size] = statistics.median(times[name])
            private, written = memory[name]
            print(
                f"  {size:6d} {name:15s} processor {medians[name, size]:7.1f} ms, private memory {private:6d} KB, "
                f"of these written {written:6d} KB"
            )
        ours_alone = [memory[name] for name in runs if name.startswith("jackdaw")]
        peaks[size] = tuple(map(max, *ours_alone))
    print("cpu_50000_vs_10000", round(medians["jackdaw", 50_000] / medians["jackdaw", 10_000], 3))
    print("cpu_listing_50000_vs_10000", round(medians["jackdaw_listing", 50_000] / medians["jackdaw_listing", 10_000], 3))
    print("cpu_10000_vs_libstrophe", round(medians["jackdaw", 10_000] / medians["libstrophe", 10_000], 3))
    for size, (private, written) in peaks.items():
        print(f"private_memory_kb_{size}", private)
        print(f"dirty_memory_kb_{size}", written)


if __name__ == "__main__":
    main()
