/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#ifndef JACKDAW_SPAWN_SHIM_H
#define JACKDAW_SPAWN_SHIM_H

/* <spawn.h> shows them to GNU's own C alone, and is not included: a type that two modules declare is nobody's. The first argument is a
 * posix_spawn_file_actions_t. */
extern int posix_spawn_file_actions_addchdir_np(void *, const char *);
extern int posix_spawn_file_actions_addclosefrom_np(void *, int);

/* <sys/pidfd.h> includes <fcntl.h>, whose types are Glibc's. */
extern int pidfd_open(int, unsigned int);

/* A descriptor that can be read once the process has ended: pidfd_open(2). It is closed on exec. */
static inline int jackdaw_process_descriptor(int process) { return pidfd_open(process, 0); }

/* The child begins in this folder. */
static inline int jackdaw_spawn_in(void *actions, const char *folder) {
  return posix_spawn_file_actions_addchdir_np(actions, folder);
}

/* The child has no descriptor from this number on. */
static inline int jackdaw_spawn_closing(void *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

#endif
