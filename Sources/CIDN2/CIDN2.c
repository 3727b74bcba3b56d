/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#include "CIDN2.h"

struct jd_idn2 jd_idn2(void) {
  void *library = jd_late_library("libidn2.so.0");
#define FOUND(name) .name = jd_late_symbol(library, #name),
  return (struct jd_idn2){JD_IDN2(FOUND)};
}
