/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#ifndef JACKDAW_BENCH_MEMORY_H
#define JACKDAW_BENCH_MEMORY_H

#include <sys/types.h>

/* Memory that no other process shares, in KB: of /proc/PID/smaps_rollup, which the kernel counts page by page. */
struct memory {
  /* Private_Dirty and Private_Clean. Clean are pages of files that no other process has mapped at the moment. */
  long private_kb;
  /* Private_Dirty alone: what the process has written. */
  long dirty_kb;
};

/* Waits for a child to end, and reads its memory all the while, with `pause` microseconds between two readings. Each reading is
 * what the process has at one moment, so the peak is never more than the truth; what comes and goes between two is missed.
 *
 * With a pause of 0 there is a reading every tenth of a millisecond or so, the last one while the process is ending. That takes
 * a processor and keeps the child waiting now and then: such a run's times say nothing. */
struct memory memory_peak(pid_t child, int *status, unsigned pause);

#endif
