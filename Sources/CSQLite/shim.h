/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#ifndef JACKDAW_SQLITE_SHIM_H
#define JACKDAW_SQLITE_SHIM_H

#include <sqlite3.h>

#endif
