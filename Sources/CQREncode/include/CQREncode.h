/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors
 *
 * libqrencode, loaded when something of it is called first. What is called has to stand in CQREncode.c, or the program does not
 * link. */
#ifndef JACKDAW_QRENCODE_H
#define JACKDAW_QRENCODE_H

#include <qrencode.h>

#endif
