/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#ifndef JACKDAW_PRCTL_SHIM_H
#define JACKDAW_PRCTL_SHIM_H

#include <sys/prctl.h>

/* prctl(2) takes any number of arguments, which Swift cannot call. */
static inline int jackdaw_set_dumpable(int is_dumpable) {
  return prctl(PR_SET_DUMPABLE, (unsigned long)is_dumpable, 0, 0, 0);
}

static inline int jackdaw_get_dumpable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }

#endif
