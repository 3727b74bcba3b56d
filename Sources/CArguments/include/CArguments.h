/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors
 *
 * The words that the program was started with. Swift's standard library reads them from /proc, and where that is not mounted it has
 * none: every command would be taken for a script on stdin. */
#ifndef JACKDAW_ARGUMENTS_H
#define JACKDAW_ARGUMENTS_H

/* How many they are, the program's own name among them. */
int jd_argument_count(void);

/* One of them, from 0, as it was given; NULL where there are no more. */
const char *jd_argument(int index);

#endif
