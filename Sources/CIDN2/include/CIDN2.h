/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors
 *
 * GNU libidn2, loaded when something of it is called first. What is called has to stand in CIDN2.c, or the program does not link. */
#ifndef JACKDAW_IDN2_H
#define JACKDAW_IDN2_H

#include <idn2.h>

#endif
