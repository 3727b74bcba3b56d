/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#include "CLateLibrary.h"

#include <dlfcn.h>
#include <err.h>
#include <sysexits.h>

static void *found(void *what) {
  if (!what) errx(EX_SOFTWARE, "A library is missing: %s", dlerror());
  return what;
}

void *jd_late_library(const char *name) { return found(dlopen(name, RTLD_NOW | RTLD_LOCAL)); }

void *jd_late_symbol(void *library, const char *name) { return found(dlsym(library, name)); }
