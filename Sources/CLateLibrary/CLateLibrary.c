/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#include "CLateLibrary.h"

#include <dlfcn.h>
#include <err.h>
#include <errno.h>
#include <sysexits.h>

static void *found(void *what) {
  /* Where the system has no room for it just then, that may pass. */
  int may_pass = errno == EMFILE || errno == ENFILE || errno == ENOMEM;
  if (!what) errx(may_pass ? EX_TEMPFAIL : EX_SOFTWARE, "A library cannot be loaded: %s", dlerror());
  return what;
}

void *jd_late_library(const char *name) {
  errno = 0;
  return found(dlopen(name, RTLD_NOW | RTLD_LOCAL));
}

void *jd_late_symbol(void *library, const char *name) {
  errno = 0;
  return found(dlsym(library, name));
}
