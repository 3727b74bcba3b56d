/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#include "memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void give_up(const char *what) {
  perror(what);
  exit(1);
}

static long kilobytes(const char *text, const char *name) {
  const char *found = strstr(text, name);
  return found ? strtol(found + strlen(name), NULL, 10) : 0;
}

struct memory memory_peak(pid_t child, int *status, unsigned pause) {
  /* The file belongs to the memory that the process has now, so the program has to be running already. */
  char path[64], text[2048];
  snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)child);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) give_up(path);
  struct memory most = {0, 0};
  pid_t ended;
  while ((ended = waitpid(child, status, WNOHANG)) == 0) {
    /* Nothing comes when the process has given its memory back. */
    ssize_t length = pread(file, text, sizeof text - 1, 0);
    if (length > 0) {
      text[length] = 0;
      long dirty = kilobytes(text, "Private_Dirty:"), clean = kilobytes(text, "Private_Clean:");
      if (dirty > most.dirty_kb) most.dirty_kb = dirty;
      if (dirty + clean > most.private_kb) most.private_kb = dirty + clean;
    }
    if (pause > 0) usleep(pause);
  }
  if (ended != child) give_up("waitpid");
  close(file);
  return most;
}
