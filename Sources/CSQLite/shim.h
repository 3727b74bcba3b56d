/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#ifndef JACKDAW_SQLITE_SHIM_H
#define JACKDAW_SQLITE_SHIM_H

#include <sqlite3.h>

/* Swift imports no function with a variable number of parameters. Before the first connection; returns a result code. */
static inline int jd_sqlite_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

#endif
