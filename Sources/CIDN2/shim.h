/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#ifndef JACKDAW_IDN2_SHIM_H
#define JACKDAW_IDN2_SHIM_H

#include <idn2.h>

#endif
