/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#ifndef JACKDAW_RE2_H
#define JACKDAW_RE2_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A regular expression as RE2 has it: searching takes time that grows with the text and no faster. */
typedef struct jd_pattern jd_pattern;

/* NULL where `text` is none; `reason`, of `room` bytes, then says why, with a NUL at its end. */
jd_pattern *jd_pattern_make(const char *text, size_t count, char *reason, size_t room);
/* Whether some part of `text` matches. */
int jd_pattern_is_in(const jd_pattern *pattern, const char *text, size_t count);
/* The first part of `text` from byte `from` on that matches: where it begins and ends. False where none does. */
int jd_pattern_find(const jd_pattern *pattern, const char *text, size_t count, size_t from, size_t *start, size_t *end);
void jd_pattern_free(jd_pattern *pattern);

#ifdef __cplusplus
}
#endif

#endif
