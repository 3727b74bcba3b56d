/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#include "CLateLibrary.h"
JD_LATE_BEGIN
#include "CSQLite.h"

JD_LATE_LIBRARY(libsqlite3, "libsqlite3.so.0", NULL)

#define SQLITE(result, name, parameters, arguments) JD_LATE_FUNCTION(libsqlite3, result, name, parameters, arguments)

typedef void free_function(void *);
typedef int row_function(void *, int, char **, char **);
typedef int commit_function(void *, sqlite3 *, const char *, int);

SQLITE(int, sqlite3_open_v2, (const char *name, sqlite3 **database, int flags, const char *system),
  (name, database, flags, system))
SQLITE(int, sqlite3_close_v2, (sqlite3 *database), (database))
SQLITE(sqlite3_backup *, sqlite3_backup_init,
  (sqlite3 *to, const char *schema, sqlite3 *from, const char *source), (to, schema, from, source))
SQLITE(int, sqlite3_backup_step, (sqlite3_backup *backup, int pages), (backup, pages))
SQLITE(int, sqlite3_backup_finish, (sqlite3_backup *backup), (backup))
SQLITE(int, sqlite3_busy_timeout, (sqlite3 *database, int milliseconds), (database, milliseconds))
SQLITE(int, sqlite3_changes, (sqlite3 *database), (database))
SQLITE(const char *, sqlite3_db_filename, (sqlite3 *database, const char *schema), (database, schema))
SQLITE(int, sqlite3_db_readonly, (sqlite3 *database, const char *schema), (database, schema))
SQLITE(const char *, sqlite3_errmsg, (sqlite3 *database), (database))
SQLITE(const char *, sqlite3_errstr, (int code), (code))
SQLITE(int, sqlite3_exec, (sqlite3 *database, const char *sql, row_function *row, void *user, char **message),
  (database, sql, row, user, message))
SQLITE(int, sqlite3_extended_errcode, (sqlite3 *database), (database))
SQLITE(int, sqlite3_file_control, (sqlite3 *database, const char *schema, int what, void *value),
  (database, schema, what, value))
SQLITE(int, sqlite3_get_autocommit, (sqlite3 *database), (database))
SQLITE(int, sqlite3_limit, (sqlite3 *database, int what, int value), (database, what, value))
SQLITE(int, sqlite3_system_errno, (sqlite3 *database), (database))
SQLITE(int, sqlite3_wal_checkpoint_v2, (sqlite3 *database, const char *schema, int mode, int *pages, int *done),
  (database, schema, mode, pages, done))
SQLITE(void *, sqlite3_wal_hook, (sqlite3 *database, commit_function *hook, void *user), (database, hook, user))

SQLITE(int, sqlite3_prepare_v3,
  (sqlite3 *database, const char *sql, int count, unsigned int flags, sqlite3_stmt **statement, const char **rest),
  (database, sql, count, flags, statement, rest))
SQLITE(int, sqlite3_finalize, (sqlite3_stmt *statement), (statement))
SQLITE(int, sqlite3_reset, (sqlite3_stmt *statement), (statement))
SQLITE(int, sqlite3_step, (sqlite3_stmt *statement), (statement))
SQLITE(const char *, sqlite3_sql, (sqlite3_stmt *statement), (statement))
SQLITE(int, sqlite3_stmt_busy, (sqlite3_stmt *statement), (statement))

SQLITE(int, sqlite3_bind_blob64,
  (sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count, free_function *release),
  (statement, index, bytes, count, release))
SQLITE(int, sqlite3_bind_int64, (sqlite3_stmt *statement, int index, sqlite3_int64 value), (statement, index, value))
SQLITE(int, sqlite3_bind_parameter_count, (sqlite3_stmt *statement), (statement))
SQLITE(int, sqlite3_bind_text64,
  (sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 count, free_function *release,
   unsigned char encoding),
  (statement, index, text, count, release, encoding))
SQLITE(int, sqlite3_bind_zeroblob, (sqlite3_stmt *statement, int index, int count), (statement, index, count))
SQLITE(int, sqlite3_clear_bindings, (sqlite3_stmt *statement), (statement))

SQLITE(const void *, sqlite3_column_blob, (sqlite3_stmt *statement, int column), (statement, column))
SQLITE(int, sqlite3_column_bytes, (sqlite3_stmt *statement, int column), (statement, column))
SQLITE(double, sqlite3_column_double, (sqlite3_stmt *statement, int column), (statement, column))
SQLITE(sqlite3_int64, sqlite3_column_int64, (sqlite3_stmt *statement, int column), (statement, column))
SQLITE(const unsigned char *, sqlite3_column_text, (sqlite3_stmt *statement, int column), (statement, column))
SQLITE(int, sqlite3_column_type, (sqlite3_stmt *statement, int column), (statement, column))

/* Functions with a variable number of parameters: Swift imports none. */

int jd_sqlite_count_no_memory(void) {
  __typeof__(&sqlite3_config) config = jd_late_symbol(libsqlite3(), "sqlite3_config");
  return config(SQLITE_CONFIG_MEMSTATUS, 0);
}

int jd_sqlite_distrust(sqlite3 *database) {
  __typeof__(&sqlite3_db_config) config = jd_late_symbol(libsqlite3(), "sqlite3_db_config");
  int result = config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  if (result == SQLITE_OK) result = config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
  if (result == SQLITE_OK) result = config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)0);
  if (result == SQLITE_OK) result = config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
  if (result == SQLITE_OK) result = config(database, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, (int *)0);
  return result;
}

JD_LATE_END
