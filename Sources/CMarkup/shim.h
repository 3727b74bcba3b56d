/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#ifndef JACKDAW_MARKUP_SHIM_H
#define JACKDAW_MARKUP_SHIM_H

#include <stdint.h>
#include <string.h>

/* Which of 64 bytes are markup: a bit for each, the first byte's the lowest. */
struct jackdaw_markup {
  uint64_t less;        /* < */
  uint64_t greater;     /* > */
  uint64_t apostrophes; /* ' */
  uint64_t quotes;      /* " */
  uint64_t unusual;     /* below the space, or not ASCII */
};

/* One instruction makes 16 bits of 16 comparisons on the machines that have one, which Swift's vectors cannot ask for. These are
 * Clang's vectors, for any machine. */
typedef signed char jackdaw_bytes __attribute__((ext_vector_type(16)));
typedef _Bool jackdaw_flags __attribute__((ext_vector_type(16)));

static inline __attribute__((always_inline)) uint64_t jackdaw_bits(jackdaw_bytes compared) {
  jackdaw_flags flags = __builtin_convertvector(compared, jackdaw_flags);
  uint16_t bits;
  memcpy(&bits, &flags, sizeof bits);
  return bits;
}

/* Reads the 64 bytes there. */
static inline __attribute__((always_inline)) struct jackdaw_markup jackdaw_find_markup(const void *bytes) {
  struct jackdaw_markup found = {0, 0, 0, 0, 0};
#pragma clang loop unroll(full)
  for (int quarter = 0; quarter < 4; ++quarter) {
    jackdaw_bytes part;
    memcpy(&part, (const char *)bytes + 16 * quarter, sizeof part);
    int shift = 16 * quarter;
    found.less |= jackdaw_bits((jackdaw_bytes)(part == '<')) << shift;
    found.greater |= jackdaw_bits((jackdaw_bytes)(part == '>')) << shift;
    found.apostrophes |= jackdaw_bits((jackdaw_bytes)(part == '\'')) << shift;
    found.quotes |= jackdaw_bits((jackdaw_bytes)(part == '"')) << shift;
    /* As a signed number, what is not ASCII is below the space, too. */
    found.unusual |= jackdaw_bits((jackdaw_bytes)(part < ' ')) << shift;
  }
  return found;
}

#endif
