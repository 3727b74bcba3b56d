/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#include "CArguments.h"

#include <stddef.h>

static int count;
static char **arguments;

/* The GNU C library calls a program's constructors with what main is called with. */
__attribute__((constructor)) static void keep(int given, char **words) {
  count = given;
  arguments = words;
}

int jd_argument_count(void) { return count; }

const char *jd_argument(int index) { return index >= 0 && index < count ? arguments[index] : NULL; }
