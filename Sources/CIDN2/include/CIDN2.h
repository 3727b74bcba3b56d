/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors
 *
 * GNU libidn2. */
#ifndef JACKDAW_IDN2_H
#define JACKDAW_IDN2_H

#include <idn2.h>

#include "CLateLibrary.h"

#define JD_IDN2(EACH) \
  EACH(idn2_to_ascii_8z) \
  EACH(idn2_to_unicode_8z8z) \
  EACH(idn2_lookup_u8) \
  EACH(idn2_free)

struct jd_idn2 {
  JD_IDN2(JD_LATE_MEMBER)
};

/* The library, loaded. May be called by any thread. */
struct jd_idn2 jd_idn2(void);

#endif
