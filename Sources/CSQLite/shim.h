/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#ifndef JACKDAW_SQLITE_SHIM_H
#define JACKDAW_SQLITE_SHIM_H

#include <sqlite3.h>

/* Swift imports no function with a variable number of parameters. Before the first connection; returns a result code. */
static inline int jd_sqlite_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/* What stands in the schema of a database that somebody else made is not to be run: no view, trigger or unsafe function.
 * Returns a result code. */
static inline int jd_sqlite_distrust(sqlite3 *database) {
  int result = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  if (result == SQLITE_OK) result = sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
  if (result == SQLITE_OK) result = sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)0);
  if (result == SQLITE_OK) result = sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
  if (result == SQLITE_OK) result = sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, (int *)0);
  return result;
}

#endif
