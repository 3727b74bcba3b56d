/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#ifndef JACKDAW_PRCTL_SHIM_H
#define JACKDAW_PRCTL_SHIM_H

#include <elf.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

/* prctl(2) takes any number of arguments, which Swift cannot call. */
static inline int jackdaw_set_dumpable(int is_dumpable) {
  return prctl(PR_SET_DUMPABLE, (unsigned long)is_dumpable, 0, 0, 0);
}

/* What ps(1) shows, up to 15 bytes of it. */
static inline int jackdaw_set_name(const char *name) { return prctl(PR_SET_NAME, (unsigned long)name, 0, 0, 0); }

/* The beginning of what <link.h> shows to GNU's own C alone, and that is not included: a type that two modules declare is nobody's. */
struct jackdaw_mapped_file {
  uintptr_t begin;
  const char *name;
  const Elf64_Phdr *parts;
  Elf64_Half count;
};
extern int dl_iterate_phdr(int (*)(struct jackdaw_mapped_file *, size_t, void *), void *);

/* Unmaps the pages of one file's parts that nobody can write: they are the file's own, and come back when they are used. */
static inline int jackdaw_drop_file(struct jackdaw_mapped_file *file, size_t size, void *page) {
  (void)size;
  uintptr_t mask = *(uintptr_t *)page - 1;
  if (strstr(file->name, "linux-vdso")) return 0;
  for (Elf64_Half number = 0; number < file->count; number++) {
    const Elf64_Phdr *part = &file->parts[number];
    if (part->p_type != PT_LOAD || part->p_flags & PF_W) continue;
    uintptr_t begin = (file->begin + part->p_vaddr) & ~mask;
    uintptr_t end = (file->begin + part->p_vaddr + part->p_memsz + mask) & ~mask;
    madvise((void *)begin, end - begin, MADV_DONTNEED);
  }
  return 0;
}

static inline void jackdaw_drop_files(void) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  dl_iterate_phdr(jackdaw_drop_file, &page);
}

static inline int jackdaw_get_dumpable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }

#endif
