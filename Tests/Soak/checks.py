# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""What must be true at the end: each number once, in order, in all stores, on all screens, and handed to the bot."""

import collections
import datetime

from runs import events, lines_of

# Messages that come with one read, at most: 32 KiB of the shortest that the soak sends.
ONE_TURN = 300
# What ejabberd says of those that it sends back though they arrive.
RETURNED = "User session terminated"


class Findings:
    def __init__(self):
        self.lost = 0
        self.doubled = 0
        self.disordered = 0
        self.shown_again = 0
        self.handed_again = 0
        # ejabberd 23.01 may deliver, when a stream is resumed, what comes at that moment before what waited.
        self.swapped = 0
        # ejabberd 23.01 sends back what reaches a session in the moment of its end, though the archive has it for the next one.
        self.returned = 0
        self.complaints = []

    @property
    def are_good(self):
        return not self.complaints

    def complain(self, text):
        self.complaints.append(text)


def check(client, totals, findings):
    """Its store and its screen, against what it said and what others said to it.

    `totals`: how many numbers each of them has said, by name."""
    # What has no place yet, copies of its own too, is for the next run of whichever program held it back.
    own = client.query(
        "SELECT body, ifnull((SELECT outbox.state FROM outbox WHERE message = seq), state), seq, error FROM message"
        " WHERE is_outgoing = 1 AND seq > 0 ORDER BY seq")
    check_sequence(findings, f"{client.name}'s store, said", [(row[0], None) for row in own], client.name, client.total)
    returned = {number for _, state, number, error in own if state == "failed" and RETURNED in (error or "")}
    findings.returned += len(returned)
    for state in sorted({row[1] for row in own} - {"server", "delivered", "displayed"}):
        rows = [number for _, other, number, _ in own if other == state and number not in returned]
        if not rows:
            continue
        findings.complain(f"{client.name}'s store: {state} are the rows {listed(rows)}")
    came = client.query("SELECT body, archive FROM message WHERE is_outgoing = 0 AND seq > 0 ORDER BY seq")
    shown = [shown_bodies(findings, run, client) for run in client.runs]
    late = handed_late(client)
    what = f"{client.name}'s store, came"
    for body in [body for body, _ in came] + [body for bodies in shown for body in bodies]:
        if body.split(" ")[0] not in totals:
            findings.complain(f"{what}: '{short(body)}' was never said")
    for name, total in totals.items():
        swapped = check_sequence(findings, what, [row for row in came if row[0].startswith(name + " ")], name, total)
        late_here = {number_of(body, name) for body in late if body.startswith(name + " ")}
        findings.swapped += len(swapped)
        check_screen(findings, client, shown, name, total, swapped, late_here)


def check_friends(client, findings):
    """Whom its last run listed, against the changes that were made from elsewhere while it was dead."""
    listed_friends = {event["jid"]: event["name"] for event in events(lines_of(client.run.path), "friend")
                      if event["change"] is None}
    if listed_friends != client.friends | {client.peer.jid: None}:
        findings.complain(f"{client.name}'s contact list is {listed_friends}, and has to have {client.friends}")


def check_bot(bot, total, findings):
    """It was handed each number, in order, and those again at which it was killed, one at a time."""
    what, numbers = f"what {bot.name} was handed", bot.numbers()
    firsts, again = split(numbers)
    missing = sorted(set(range(1, total + 1)) - set(firsts))
    if missing:
        findings.lost += len(missing)
        findings.complain(f"{what}: lost {listed(missing)}")
    findings.handed_again += len(again)
    if len(again) > sum(run.was_killed for run in bot.runs):
        findings.complain(f"{what}: more than the one in hand at each kill came again: {listed(again)}")
    check_order(findings, what, firsts, set())


def check_sequence(findings, what, rows, name, total):
    """Returns the numbers that the server delivered out of order, as its archive's ids show."""
    bodies = [body for body, _ in rows]
    archive = {number_of(body, name): identifier for body, identifier in rows}
    numbers = [number_of(body, name) for body in bodies]
    for body, number in zip(bodies, numbers):
        if number is None:
            findings.complain(f"{what}: '{short(body)}' was never said")
    numbers = [number for number in numbers if number is not None]
    missing = sorted(set(range(1, total + 1)) - set(numbers))
    if missing:
        findings.lost += len(missing)
        findings.complain(f"{what}: lost {listed(missing)}")
    firsts, again = split(numbers)
    if again:
        findings.doubled += len(again)
        findings.complain(f"{what}: doubled {listed(again)}")
    swapped = {number for before, number in zip(firsts, firsts[1:])
               if number < before and is_earlier(archive[number], archive[before])}
    check_order(findings, what, firsts, swapped)
    return swapped


def is_earlier(one, other):
    """Of two ids of the archive: ejabberd's are microseconds. Prosody's say nothing."""
    return bool(one and other and one.isdigit() and other.isdigit() and int(one) < int(other))


def behind(firsts):
    """The numbers that stand behind a greater one."""
    return {number for before, number in zip(firsts, firsts[1:]) if number < before}


def check_order(findings, what, firsts, swapped):
    late = sorted(behind(firsts) - swapped)
    if late:
        findings.disordered += len(late)
        findings.complain(f"{what}: out of order at {listed(late)}")


def check_screen(findings, client, bodies, name, total, swapped, late):
    """All runs together have each number. What one turn of the loop shows is noted in the next instant: so the last ones that a
    run showed before it was killed, or lost its reader, may be there once more in the next, no more than one read brings, and no others.

    `bodies`: what each run showed. `swapped`, `late`: what the server delivered out of order to the log, and to this client alone."""
    what = f"{client.name}'s screen"
    firsts, seen = [], set()
    before, before_shown = None, []
    for run, lines in zip(client.runs, bodies):
        shown = [number_of(body, name) for body in lines if body.startswith(name + " ")]
        if not shown:
            continue
        firsts_here, doubled = split(shown)
        again = [number for number in firsts_here if number in seen]
        is_one_turn = len(again) <= ONE_TURN or before.was_locked
        if again and (before.was_killed or before.lost_reader) and again == before_shown[-len(again):] and is_one_turn:
            findings.shown_again += len(again)
        elif again:
            findings.complain(f"{what}: run {run.number} shows again what had been noted: {listed(again)}")
            findings.doubled += len(again)
        if doubled:
            findings.complain(f"{what}: run {run.number} shows twice {listed(doubled)}")
            findings.doubled += len(doubled)
        firsts += [number for number in firsts_here if number not in seen]
        seen.update(shown)
        before, before_shown = run, firsts_here
    missing = sorted(set(range(1, total + 1)) - seen)
    if missing:
        findings.lost += len(missing)
        findings.complain(f"{what}: lost {name}'s {listed(missing)}")
    findings.swapped += len(behind(firsts) & late - swapped)
    check_order(findings, what, firsts, swapped | late)


def shown_bodies(findings, run, client):
    """What it showed of others, in order."""
    bodies = []
    for event in events(lines_of(run.path), "message"):
        if event["carbon"] == "sent":
            findings.complain(f"run {run.number} of {client.name} shows '{short(event['body'])}' as sent from elsewhere")
        else:
            bodies.append(event["body"])
    return bodies


# A program tells what it logs in the same instant, in milliseconds.
ANOTHERS = 1_000
AT_ONCE = 20


class LogRow:
    """What the log of all programs of the account has of a message that came; without arguments: nothing."""

    def __init__(self, seq=0, archive=None, is_late=1, written=0, received=0, owner=None):
        self.seq = seq
        self.is_late = is_late
        self.written = written
        self.received = received
        self.owner = owner
        # When the server took it, where the archive's ids tell: ejabberd's are microseconds.
        self.archived = int(archive) / 1_000 if archive and archive.isdigit() else None
        # Prosody's tell nothing: it delivers in order.
        self.is_in_order = bool(archive) and self.archived is None

    def is_shown_by(self, event):
        """The event has the time that the log has for it, so that it is from the log; the server's stamps say something else."""
        return bool(event["delayed"]) and milliseconds(event, "delayed") == self.written


def handed_late(client):
    """What another program of the account had before, and the server gave to the chat's stream later, with a stamp: each node of a
    cluster hands over for itself, and a stanza that meets a stream on its way to another node takes a detour. The other had it live, or
    logged it while this run was on and had not been given it; or while an earlier run was on, which ended without it.

    Without a stamp it is what waited when the stream was resumed, and comes behind what came at that moment: in the log it stands where
    the other one had it, before this one told it.

    What a run reads from the log it shows in the log's order: of two such messages the second is not excused."""
    logged = {body: LogRow(*row) for body, *row in client.query(
        "SELECT body, seq, archive, is_late, written, received, owner FROM message WHERE is_outgoing = 0")}
    late, earlier = set(), []
    for run in client.runs:
        told = list(events(lines_of(run.path), "connection", "message"))
        if not told:
            continue
        resumed, last = 0, {}
        for event in told:
            if event["event"] == "connection":
                resumed = milliseconds(event) if event["state"] == "resumed" else 0
                continue
            row, speaker = logged.get(event["body"], LogRow()), event["body"].split(" ")[0]
            before, last[speaker] = last.get(speaker), event
            if row.is_in_order or (before and are_from_log(before, event, logged.get(before["body"], LogRow()), row)):
                continue
            if not event["delayed"]:
                if row.received < milliseconds(event) - AT_ONCE and row.archived is not None and row.archived < resumed:
                    late.add(event["body"])
                continue
            if not row.is_late or milliseconds(told[0]) <= row.received < milliseconds(event) - ANOTHERS or any(
                    began <= row.received <= ended and owners and row.owner not in owners for began, ended, owners in earlier):
                late.add(event["body"])
        # Who logged most of what it told at once: itself. What another one had live it may tell seconds later, and now and then at once, too.
        own = collections.Counter(
            logged[event["body"]].owner for event in told
            if event["event"] == "message" and event["body"] in logged
            and abs(milliseconds(event) - logged[event["body"]].received) <= AT_ONCE)
        owners = {owner for owner, _ in own.most_common(1)}
        earlier.append((milliseconds(told[0]), milliseconds(told[-1]), owners))
    return late


def are_from_log(before, event, row_before, row):
    """A run showed both in one go, as it read them from the log, which has them the other way round. A stamp of the server's may now and
    then be the log's time, too, but not that of two messages which it sends in the wrong order in one instant."""
    return (row.seq < row_before.seq and row_before.is_shown_by(before) and row.is_shown_by(event)
            and milliseconds(event) - milliseconds(before) <= AT_ONCE)


def milliseconds(event, key="time"):
    """When it was told; or another time of it."""
    return round(datetime.datetime.fromisoformat(event[key].replace("Z", "+00:00")).timestamp() * 1_000)


def number_of(body, name):
    words = body.split()
    return int(words[1]) if len(words) >= 2 and words[0] == name and words[1].isdigit() else None


def split(numbers):
    """Those that are there for the first time, and the others."""
    seen, firsts, again = set(), [], []
    for number in numbers:
        (again if number in seen else firsts).append(number)
        seen.add(number)
    return firsts, again


def short(text):
    return text if len(text) <= 40 else text[:40] + "…"


def listed(numbers):
    shown = ", ".join(str(number) for number in numbers[:20])
    return shown if len(numbers) <= 20 else f"{shown} … ({len(numbers)} of them)"
