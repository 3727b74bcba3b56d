/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors
 *
 * strophe PORT CA-FILE MESSAGES: receives so many messages with libstrophe as `jackdaw listen --count` does, and prints a line for
 * each; it stores nothing. */
#include <stdio.h>
#include <stdlib.h>

#include <strophe.h>

#include "../Message/server.h"

static unsigned left;

static int ping_answered(xmpp_conn_t *connection, xmpp_stanza_t *stanza, void *context) {
  (void)stanza, (void)context;
  xmpp_disconnect(connection);
  return 0;
}

/* The server's last question whether all came stands before the answer: then that has been answered, too. */
static void leave(xmpp_conn_t *connection, xmpp_ctx_t *context) {
  xmpp_stanza_t *request = xmpp_iq_new(context, "get", "last");
  xmpp_stanza_t *ping = xmpp_stanza_new(context);
  xmpp_stanza_set_name(ping, "ping");
  xmpp_stanza_set_ns(ping, "urn:xmpp:ping");
  xmpp_stanza_add_child(request, ping);
  xmpp_id_handler_add(connection, ping_answered, "last", NULL);
  xmpp_send(connection, request);
  xmpp_stanza_release(ping);
  xmpp_stanza_release(request);
}

static int message_came(xmpp_conn_t *connection, xmpp_stanza_t *stanza, void *context) {
  xmpp_stanza_t *body = xmpp_stanza_get_child_by_name(stanza, "body");
  char *text = body ? xmpp_stanza_get_text(body) : NULL;
  if (text == NULL) return 1;
  printf("%s: %s\n", xmpp_stanza_get_from(stanza), text);
  xmpp_free(context, text);
  if (--left == 0) leave(connection, context);
  return 1;
}

static void changed(xmpp_conn_t *connection, xmpp_conn_event_t event, int error, xmpp_stream_error_t *stream_error,
                    void *context) {
  (void)error, (void)stream_error;
  if (event != XMPP_CONN_CONNECT) {
    xmpp_stop(context);
    return;
  }
  xmpp_handler_add(connection, message_came, NULL, "message", NULL, context);
  xmpp_stanza_t *presence = xmpp_presence_new(context);
  xmpp_send(connection, presence);
  xmpp_stanza_release(presence);
}

int main(int count, char **words) {
  if (count != 4) return 64;
  left = (unsigned)atoi(words[3]);
  xmpp_initialize();
  xmpp_ctx_t *context = xmpp_ctx_new(NULL, NULL);
  xmpp_conn_t *connection = xmpp_conn_new(context);
  xmpp_conn_set_flags(connection, XMPP_CONN_FLAG_LEGACY_SSL);
  xmpp_conn_set_cafile(connection, words[2]);
  xmpp_conn_set_jid(connection, BENCH_USER "@" BENCH_DOMAIN);
  xmpp_conn_set_pass(connection, BENCH_PASSWORD);
  if (xmpp_connect_client(connection, "127.0.0.1", (unsigned short)atoi(words[1]), changed, context) != XMPP_EOK) return 1;
  xmpp_run(context);
  xmpp_conn_release(connection);
  xmpp_ctx_free(context);
  xmpp_shutdown();
  return left == 0 ? 0 : 1;
}
