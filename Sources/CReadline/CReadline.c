/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#include "CReadline.h"

#define TEXT(number) #number
#define NUMBER(macro) TEXT(macro)

const struct jd_readline *jd_readline(void) {
  static struct jd_readline functions;
  static int loaded;
  if (!loaded) {
    void *library = jd_late_library("libreadline.so." NUMBER(RL_VERSION_MAJOR));
#define FOUND(name) .name = jd_late_symbol(library, #name),
    functions = (struct jd_readline){JD_READLINE(FOUND)};
    loaded = 1;
  }
  return &functions;
}
