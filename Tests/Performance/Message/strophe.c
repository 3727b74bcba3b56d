/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors
 *
 * strophe PORT starttls|direct CA-FILE [HOST]: sends one message as `jackdaw send` does, with libstrophe. It logs in, sends the
 * message, waits for the answer to a ping sent after it, and leaves. */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <strophe.h>

#include "server.h"

static int code = 1;

static int ping_answered(xmpp_conn_t *connection, xmpp_stanza_t *stanza, void *context) {
  (void)stanza, (void)context;
  code = 0;
  xmpp_disconnect(connection);
  return 0;
}

static void send_message(xmpp_conn_t *connection, xmpp_ctx_t *context) {
  char *id = xmpp_uuid_gen(context);
  xmpp_stanza_t *message = xmpp_message_new(context, "chat", BENCH_RECIPIENT, id);
  xmpp_message_set_body(message, BENCH_TEXT);
  xmpp_send(connection, message);
  xmpp_stanza_release(message);
  xmpp_free(context, id);

  id = xmpp_uuid_gen(context);
  xmpp_stanza_t *request = xmpp_iq_new(context, "get", id);
  xmpp_stanza_t *ping = xmpp_stanza_new(context);
  xmpp_stanza_set_name(ping, "ping");
  xmpp_stanza_set_ns(ping, "urn:xmpp:ping");
  xmpp_stanza_add_child(request, ping);
  xmpp_id_handler_add(connection, ping_answered, id, NULL);
  xmpp_send(connection, request);
  xmpp_stanza_release(ping);
  xmpp_stanza_release(request);
  xmpp_free(context, id);
}

static void changed(xmpp_conn_t *connection, xmpp_conn_event_t event, int error, xmpp_stream_error_t *stream_error,
                    void *context) {
  (void)error, (void)stream_error;
  if (event == XMPP_CONN_CONNECT) {
    send_message(connection, context);
  } else {
    xmpp_stop(context);
  }
}

/* Without it the ping would wait for the server's delayed acknowledgement of the message. */
static int set_no_delay(xmpp_conn_t *connection, void *socket) {
  (void)connection;
  int on = 1;
  return setsockopt(*(int *)socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

int main(int count, char **words) {
  if (count != 4 && count != 5) return 64;
  /* It says goodbye to servers that have hung up by then. */
  signal(SIGPIPE, SIG_IGN);
  xmpp_initialize();
  xmpp_ctx_t *context = xmpp_ctx_new(NULL, NULL);
  xmpp_conn_t *connection = xmpp_conn_new(context);
  bool direct = strcmp(words[2], "direct") == 0;
  xmpp_conn_set_flags(connection, direct ? XMPP_CONN_FLAG_LEGACY_SSL : XMPP_CONN_FLAG_MANDATORY_TLS);
  xmpp_conn_set_sockopt_callback(connection, set_no_delay);
  xmpp_conn_set_cafile(connection, words[3]);
  xmpp_conn_set_jid(connection, BENCH_USER "@" BENCH_DOMAIN);
  xmpp_conn_set_pass(connection, BENCH_PASSWORD);
  const char *host = count == 5 ? words[4] : "127.0.0.1";
  if (xmpp_connect_client(connection, host, (unsigned short)atoi(words[1]), changed, context) != XMPP_EOK) return 1;
  xmpp_run(context);
  xmpp_conn_release(connection);
  xmpp_ctx_free(context);
  xmpp_shutdown();
  return code;
}
