/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#ifndef JACKDAW_TIMERFD_SHIM_H
#define JACKDAW_TIMERFD_SHIM_H

#include <sys/timerfd.h>

#endif
