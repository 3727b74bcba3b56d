/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#ifndef JACKDAW_BENCH_TRAFFIC_H
#define JACKDAW_BENCH_TRAFFIC_H

#include <stdbool.h>

#include "../Message/server.h"

/* After so many stanzas the server asks for an acknowledgement. */
enum { STANZAS_BETWEEN_REQUESTS = 100 };

/* What every body begins with; its number follows. */
#define BODY_BEGINS "One message, and some words as people write them, number "

/* So many messages of one sender, each with an id of its own, and the request to acknowledge them all at the end.
 *
 * `annotated`: with what today's clients and servers add: the sender's id once more, the archive's id (XEP-0359), the wish for a
 * receipt (XEP-0184), the state of typing (XEP-0085). */
struct traffic make_traffic(unsigned messages, bool annotated);

#endif
