# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""fill.py DATABASE COUNT: puts that many messages of two years into a database that the program has made: a hundred conversations, some
of which have most, texts of two to twelve words of a language of 20,000 whose frequencies are those of languages (Zipf)."""

import random
import sqlite3
import sys

ACCOUNT = "alice@jackdaw.test"
START = 1_730_000_000_000
SPAN = 2 * 365 * 86_400_000


def words(generator):
    syllables = ["ka", "lo", "mi", "ter", "an", "so", "ve", "ru", "der", "pli", "o", "schu"]
    made = set()
    while len(made) < 20_000:
        made.add("".join(generator.choices(syllables, k=generator.randint(1, 5))))
    return sorted(made, key=lambda word: (len(word), word))


def main():
    path, count = sys.argv[1], int(sys.argv[2])
    generator = random.Random(14)
    language = words(generator)
    weights = [1 / (rank + 2) for rank in range(len(language))]
    people = [f"friend{number}@jackdaw.test" for number in range(100)]
    popularity = [1 / (rank + 1) for rank in range(len(people))]
    database = sqlite3.connect(path)
    database.execute("PRAGMA synchronous = OFF")
    made = 0
    while made < count:
        rows = []
        block = min(50_000, count - made)
        texts = generator.choices(language, weights, k=block * 12)
        with_whom = generator.choices(people, popularity, k=block)
        for number in range(block):
            made += 1
            friend, is_ours = with_whom[number], generator.random() < 0.4
            length = generator.randint(2, 12)
            body = " ".join(texts[number * 12:number * 12 + length])
            # Two words that stand together in one of two thousand.
            if made % 2_000 == 0:
                body = "needle " + body + " haystack"
            written = START + SPAN * made // count
            identifier = f"{generator.getrandbits(96):024x}"
            rows.append((
                made, friend, ACCOUNT if is_ours else friend + "/phone.8fK2", friend if is_ours else ACCOUNT, is_ours,
                identifier, f"{written:x}{made:x}", body, written, "server" if is_ours else None, written))
        with database:
            database.executemany(
                "INSERT INTO message (seq, conversation, sender, recipient, is_outgoing, stanza, archive, kind, body, written, owner,"
                " state, is_open, received, is_late, is_unique) VALUES (?, ?, ?, ?, ?, ?, ?, 'chat', ?, ?, 0, ?, 0, ?, 0, 1)", rows)
    with database:
        database.execute("INSERT OR REPLACE INTO cursor (consumer, seq) VALUES ('screen', ?)", (count,))
        database.execute(
            "INSERT OR REPLACE INTO conversation (name, read) SELECT conversation, max(seq) - 20 FROM message GROUP BY conversation")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()


main()
