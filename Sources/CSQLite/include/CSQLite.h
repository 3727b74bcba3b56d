/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors
 *
 * SQLite, loaded when something of it is called first. What is called has to stand in CSQLite.c, or the program does not link. */
#ifndef JACKDAW_SQLITE_H
#define JACKDAW_SQLITE_H

#include <sqlite3.h>

/* Before the first connection; returns a result code. */
int jd_sqlite_count_no_memory(void);

/* What stands in the schema of a database that somebody else made is not to be run: no view, trigger or unsafe function.
 * Returns a result code. */
int jd_sqlite_distrust(sqlite3 *database);

#endif
