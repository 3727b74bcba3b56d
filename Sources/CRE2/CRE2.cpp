/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#include "CRE2.h"

#include <re2/re2.h>

#include <algorithm>
#include <cstring>

struct jd_pattern {
  re2::RE2 expression;

  jd_pattern(re2::StringPiece text, const re2::RE2::Options &options) : expression(text, options) {}
};

/* What an expression may take in memory, with the states of its search. */
static const int64_t memory = 8 << 20;
/* Steps of a compiled expression. In the worst case each byte of the text costs as much as the expression is long: a longer one
 * would keep the program busy for seconds over 64 kB. */
static const int longest = 3000;

jd_pattern *jd_pattern_make(const char *text, size_t count, char *reason, size_t room) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_never_capture(true);
  options.set_max_mem(memory);
  jd_pattern *pattern = new jd_pattern(re2::StringPiece(text, count), options);
  bool is_short = pattern->expression.ok() && pattern->expression.ProgramSize() <= longest;
  if (is_short) return pattern;
  if (room > 0) {
    const std::string error = pattern->expression.ok() ? "it is too long, or repeats too much" : pattern->expression.error();
    size_t length = std::min(error.size(), room - 1);
    memcpy(reason, error.data(), length);
    reason[length] = 0;
  }
  delete pattern;
  return nullptr;
}

int jd_pattern_is_in(const jd_pattern *pattern, const char *text, size_t count) {
  return re2::RE2::PartialMatch(re2::StringPiece(text, count), pattern->expression);
}

int jd_pattern_find(const jd_pattern *pattern, const char *text, size_t count, size_t from, size_t *start, size_t *end) {
  re2::StringPiece part;
  if (!pattern->expression.Match(re2::StringPiece(text, count), from, count, re2::RE2::UNANCHORED, &part, 1)) return 0;
  *start = part.data() - text;
  *end = *start + part.size();
  return 1;
}

void jd_pattern_free(jd_pattern *pattern) { delete pattern; }
