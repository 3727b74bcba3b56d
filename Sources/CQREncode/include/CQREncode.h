/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors
 *
 * libqrencode. */
#ifndef JACKDAW_QRENCODE_H
#define JACKDAW_QRENCODE_H

#include <qrencode.h>

#include "CLateLibrary.h"

#define JD_QRENCODE(EACH) \
  EACH(QRcode_encodeData) \
  EACH(QRcode_free)

struct jd_qrencode {
  JD_QRENCODE(JD_LATE_MEMBER)
};

/* The library, loaded. May be called by any thread. */
struct jd_qrencode jd_qrencode(void);

#endif
