/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#ifndef JACKDAW_BENCH_SERVER_H
#define JACKDAW_BENCH_SERVER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An XMPP server that answers at once: every write goes out when it is made, nothing is looked up, written to disk or
 * left for later. One account, one client at a time. What is measured against it is the client. */

#define BENCH_DOMAIN "bench.test"
#define BENCH_USER "alice"
#define BENCH_PASSWORD "correct horse battery staple"
#define BENCH_RECIPIENT "bob@bench.test"
#define BENCH_TEXT "One message, and out."
/* What Debian's Prosody and ejabberd have. */
#define BENCH_ROUNDS 4096

enum { STOP_SECONDS = 3 };

/* What is sent to the client when it has shown its presence: stanzas, and requests to acknowledge them. */
struct traffic {
  const char *text;
  size_t length;
  unsigned stanzas;
};

/* One way to log in, on a port of its own. */
struct way {
  const char *name;
  const char *mechanism;
  bool direct_tls;
  /* Counts stanzas and acknowledges them (XEP-0198). */
  bool acknowledges;
  /* After so many messages it reads nothing for STOP_SECONDS; 0: never. */
  unsigned stops_after;
  /* Has an archive (XEP-0313), with nothing in it. */
  bool archives;
  /* NULL: nothing. It needs `acknowledges`. */
  const struct traffic *traffic;
  /* Filled in by server_listen. */
  int listener;
  int port;
};

/* What the server saw of the present client; shared with the process that measures. */
struct seen {
  /* CLOCK_MONOTONIC in nanoseconds when the message was read whole; 0: it was not. */
  _Atomic uint64_t message_at;
  _Atomic unsigned messages;
  /* When the first one was read. */
  _Atomic uint64_t first_message_at;
  /* When the sending of the traffic began, and when the client had acknowledged all of it. */
  _Atomic uint64_t sending_at, acknowledged_at;
  _Atomic unsigned pings;
  /* Clients that said </stream:stream>. */
  _Atomic unsigned goodbyes;
  /* Connections that are over, of all clients. */
  _Atomic unsigned connections;
};

uint64_t monotonic_now(void);

/* Opens the ports on 127.0.0.1. */
void server_listen(struct way *ways, int count);

/* Serves for ever. `directory` has server.pem and server.key. */
_Noreturn void server_run(const struct way *ways, int count, const char *directory, struct seen *seen);

#endif
