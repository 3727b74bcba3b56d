# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""fill.py DATABASE COUNT: makes of the first message of a Prosody archive that many of the last year, from and to a hundred people."""

import random
import re
import sqlite3
import sys

YEAR = 365 * 86_400


def main():
    path, count = sys.argv[1], int(sys.argv[2])
    generator = random.Random(14)
    database = sqlite3.connect(path, timeout=30)
    host, user, store, end, kind, value = database.execute(
        'SELECT "host", "user", "store", "when", "type", "value" FROM prosodyarchive ORDER BY sort_id LIMIT 1').fetchone()
    database.execute("DELETE FROM prosodyarchive")
    own = f"{user}@{host}"
    words = "the train is late again so we meet at nine instead and bring what is left of the cake".split()
    rows = []
    for number in range(count):
        friend = f"friend{int(100 * generator.random() ** 3)}@{host}"
        text = " ".join(generator.choices(words, k=generator.randint(2, 12)))
        is_ours = generator.random() < 0.4
        sender, recipient = (own + "/phone", friend) if is_ours else (friend + "/phone", own)
        stanza = f"{generator.getrandbits(96):024x}"
        message = re.sub(r"^<message[^>]*>", f"<message type='chat' id='{stanza}' from='{sender}' to='{recipient}'>", value)
        message = re.sub(r"<body>[^<]*</body>", f"<body>{text}</body>", message)
        message = re.sub(r"(<origin-id[^>]* id=['\"])[^'\"]*", rf"\g<1>{stanza}", message)
        rows.append((host, user, store, f"{number:08d}-{generator.getrandbits(64):016x}", end - YEAR + YEAR * number // count,
                     friend, kind, message))
    database.executemany(
        'INSERT INTO prosodyarchive ("host", "user", "store", "key", "when", "with", "type", "value")'
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
    database.commit()
    database.close()


main()
