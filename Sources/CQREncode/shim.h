/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#ifndef JACKDAW_QRENCODE_SHIM_H
#define JACKDAW_QRENCODE_SHIM_H

#include <qrencode.h>

#endif
