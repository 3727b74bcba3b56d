/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#include "CLateLibrary.h"

#include <dlfcn.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <sysexits.h>
#include <unistd.h>

/* The system has no room for it just then: that may pass. What the loader itself leaves in errno is not said anywhere. */
static int may_pass(void) {
  int descriptor = open("/", O_RDONLY | O_CLOEXEC);
  if (descriptor >= 0) close(descriptor);
  return descriptor < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM);
}

static void *found(void *what) {
  if (!what) errx(may_pass() ? EX_TEMPFAIL : EX_SOFTWARE, "A library cannot be loaded: %s", dlerror());
  return what;
}

void *jd_late_library(const char *name) {
  return found(dlopen(name, RTLD_NOW | RTLD_LOCAL));
}

void *jd_late_symbol(void *library, const char *name) {
  return found(dlsym(library, name));
}
