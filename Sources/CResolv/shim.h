/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#ifndef JACKDAW_RESOLV_SHIM_H
#define JACKDAW_RESOLV_SHIM_H

#include <netinet/in.h>
#include <arpa/nameser.h>
#include <errno.h>
#include <netdb.h>
#include <resolv.h>
#include <string.h>

/* getaddrinfo's "the name exists, but has no address"; netdb.h shows it to _GNU_SOURCE only. */
static const int jackdaw_eai_nodata = -5;

/* How long a look-up may take, and whom it asks. */
struct jackdaw_resolver_limits {
  /* Seconds for the first answer of a server, and how often all servers are asked. */
  int seconds, attempts;
  /* Asked instead of the servers of resolv.conf, unless its family is 0. */
  struct sockaddr_in server;
};

/* RES_IGNTC: glibc's TCP exchange has no time-out, so a server that truncates and then says nothing would hold the
 * thread for ever; EDNS gives room for more records over UDP than are used. Without RES_DNSRCH no suffix is put
 * behind a name that has a dot. */
static inline void jackdaw_limit_resolver(struct __res_state *state, const struct jackdaw_resolver_limits *limits) {
  state->retrans = limits->seconds;
  state->retry = limits->attempts;
  state->options |= RES_IGNTC | RES_USE_EDNS0;
  state->options &= ~(unsigned long)RES_DNSRCH;
  if (limits->server.sin_family != 0) {
    state->nscount = 1;
    state->nsaddr_list[0] = limits->server;
  }
}

/* Limits what getaddrinfo does on this thread from here on, with resolv.conf as it is now. 0, or -1. */
static inline int jackdaw_limit_thread_resolver(const struct jackdaw_resolver_limits *limits) {
  if (res_init() != 0) return -1;
  jackdaw_limit_resolver(&_res, limits);
  return 0;
}

/* Asks for the SRV records of `name`. Returns the length of the answer, or -1 with h_errno's value in `*host_error`;
 * the head of the last answer, if there was one, is in `answer` even then (all zero if there was none). */
static inline int jackdaw_query_services(
    const char *name, const struct jackdaw_resolver_limits *limits, unsigned char *answer, int capacity,
    int *host_error) {
  struct __res_state state;
  memset(&state, 0, sizeof state);
  memset(answer, 0, (size_t)capacity < NS_HFIXEDSZ ? (size_t)capacity : NS_HFIXEDSZ);
  if (res_ninit(&state) != 0) {
    *host_error = NO_RECOVERY;
    return -1;
  }
  jackdaw_limit_resolver(&state, limits);
  int length = res_nquery(&state, name, ns_c_in, ns_t_srv, answer, capacity);
  *host_error = length < 0 ? state.res_h_errno : 0;
  res_nclose(&state);
  return length;
}

#endif
