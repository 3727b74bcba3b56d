# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""check.py DATABASE [COUNT]: ends with 1 and words when the database is damaged, or does not hold that many messages, each once."""

import sqlite3
import sys


def main():
    database = sqlite3.connect(sys.argv[1], timeout=30)
    for table, problem in (("database", "PRAGMA integrity_check"), ("foreign keys", "PRAGMA foreign_key_check")):
        found = [row[0] for row in database.execute(problem) if row[0] != "ok"]
        if found:
            raise SystemExit(f"{table}: {found[:3]}")
    count, archived, = database.execute("SELECT count(*), count(DISTINCT archive) FROM message").fetchone()
    if count != archived:
        raise SystemExit(f"{count} messages, of which {archived} are different ones")
    if len(sys.argv) > 2 and count != int(sys.argv[2]):
        raise SystemExit(f"{count} messages, not {sys.argv[2]}")
    print(f"stored {count}")


main()
