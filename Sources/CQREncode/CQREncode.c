/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#include "CQREncode.h"

struct jd_qrencode jd_qrencode(void) {
  void *library = jd_late_library("libqrencode.so.4");
#define FOUND(name) .name = jd_late_symbol(library, #name),
  return (struct jd_qrencode){JD_QRENCODE(FOUND)};
}
