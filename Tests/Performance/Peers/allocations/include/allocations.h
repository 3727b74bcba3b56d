/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#ifndef JACKDAW_ALLOCATIONS_H
#define JACKDAW_ALLOCATIONS_H

/* How often memory was asked for since the start of the process, by whomever in it. For a process of one thread. */
unsigned long allocations_so_far(void);

#endif
