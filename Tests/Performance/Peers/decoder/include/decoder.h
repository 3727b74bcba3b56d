/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#ifndef JACKDAW_DECODER_PEER_H
#define JACKDAW_DECODER_PEER_H

#include <stddef.h>

/* What libxml2 does with these bytes by itself: a push parser that is fed pieces of this size and whose callbacks do
 * nothing but count. Returns the number of start tags, or -1 when libxml2 finds fault. */
long decoder_peer_parse(const char *bytes, size_t count, size_t piece);

#endif
