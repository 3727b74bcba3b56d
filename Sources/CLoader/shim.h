/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#ifndef JACKDAW_LOADER_SHIM_H
#define JACKDAW_LOADER_SHIM_H

#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* What link.h shows to _GNU_SOURCE only, which other headers would be different for. The callback gets a dl_phdr_info; these
 * are its first fields. */
struct dl_phdr_info;
int dl_iterate_phdr(int (*callback)(struct dl_phdr_info *, size_t, void *), void *data);
struct jackdaw_loaded_object {
  ElfW(Addr) base;
  const char *name;
  const ElfW(Phdr) *parts;
  ElfW(Half) count;
};

/* True when the loader wrote into the object's read-only parts (DT_TEXTREL): they are not what the file has. */
static inline int jackdaw_is_patched(const struct jackdaw_loaded_object *object) {
  for (size_t index = 0; index < object->count; index++) {
    if (object->parts[index].p_type != PT_DYNAMIC) continue;
    const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(object->base + object->parts[index].p_vaddr);
    for (; entry->d_tag != DT_NULL; entry++) {
      if (entry->d_tag == DT_TEXTREL || (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL) != 0)) return 1;
    }
  }
  return 0;
}

static inline int jackdaw_give_back_object(struct dl_phdr_info *info, size_t size, void *unused) {
  const struct jackdaw_loaded_object *object = (const struct jackdaw_loaded_object *)info;
  (void)size;
  (void)unused;
  if (jackdaw_is_patched(object)) return 0;
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (size_t index = 0; index < object->count; index++) {
    const ElfW(Phdr) *part = &object->parts[index];
    if (part->p_type != PT_LOAD || (part->p_flags & PF_W) != 0) continue;
    uintptr_t start = (object->base + part->p_vaddr) & ~(page - 1);
    uintptr_t end = (object->base + part->p_vaddr + part->p_filesz + page - 1) & ~(page - 1);
    madvise((void *)start, end - start, MADV_DONTNEED);
  }
  return 0;
}

/* Unmaps the pages of every loaded object's code and constants; one that is used again comes back from its file. */
static inline void jackdaw_give_back_loaded_pages(void) { dl_iterate_phdr(jackdaw_give_back_object, NULL); }

#endif
