/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors
 *
 * strophe HOST PORT CA-FILE JID PASSWORD ROOM COUNT: logs in, enters a room with libstrophe, takes nick, role and affiliation of each
 * occupant as a client would, until the room has told of oneself, and leaves. Well only when there were COUNT others. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <strophe.h>

#define MUC "http://jabber.org/protocol/muc"

struct work {
  xmpp_ctx_t *context;
  const char *room;
  long wanted, found;
  /* Every occupant's texts, so that nothing of them is left out. */
  size_t bytes;
  int is_inside;
};

static int present(xmpp_conn_t *connection, xmpp_stanza_t *stanza, void *data) {
  struct work *work = data;
  const char *from = xmpp_stanza_get_from(stanza);
  xmpp_stanza_t *x = xmpp_stanza_get_child_by_ns(stanza, MUC "#user");
  if (from == NULL || x == NULL || strncmp(from, work->room, strlen(work->room)) != 0) return 1;
  xmpp_stanza_t *item = xmpp_stanza_get_child_by_name(x, "item");
  if (item == NULL) return 1;
  const char *role = xmpp_stanza_get_attribute(item, "role");
  const char *affiliation = xmpp_stanza_get_attribute(item, "affiliation");
  work->bytes += strlen(from) + (role ? strlen(role) : 0) + (affiliation ? strlen(affiliation) : 0);
  if (xmpp_stanza_get_child_by_name(x, "status") == NULL) {
    work->found++;
    return 1;
  }
  work->is_inside = 1;
  xmpp_disconnect(connection);
  return 0;
}

static void changed(xmpp_conn_t *connection, xmpp_conn_event_t event, int error, xmpp_stream_error_t *stream_error,
                    void *data) {
  (void)error, (void)stream_error;
  struct work *work = data;
  if (event != XMPP_CONN_CONNECT) {
    xmpp_stop(work->context);
    return;
  }
  xmpp_handler_add(connection, present, NULL, "presence", NULL, work);
  char to[1024];
  snprintf(to, sizeof to, "%s/strophe", work->room);
  xmpp_stanza_t *presence = xmpp_presence_new(work->context);
  xmpp_stanza_set_to(presence, to);
  xmpp_stanza_t *x = xmpp_stanza_new(work->context);
  xmpp_stanza_set_name(x, "x");
  xmpp_stanza_set_ns(x, MUC);
  xmpp_stanza_add_child(presence, x);
  xmpp_send(connection, presence);
  xmpp_stanza_release(x);
  xmpp_stanza_release(presence);
}

int main(int count, char **words) {
  if (count != 8) return 64;
  /* The server may be gone before all of the farewell is said. */
  signal(SIGPIPE, SIG_IGN);
  xmpp_initialize();
  struct work work = {.context = xmpp_ctx_new(NULL, NULL), .room = words[6], .wanted = atol(words[7])};
  xmpp_conn_t *connection = xmpp_conn_new(work.context);
  xmpp_conn_set_flags(connection, XMPP_CONN_FLAG_MANDATORY_TLS);
  xmpp_conn_set_cafile(connection, words[3]);
  xmpp_conn_set_jid(connection, words[4]);
  xmpp_conn_set_pass(connection, words[5]);
  if (xmpp_connect_client(connection, words[1], (unsigned short)atoi(words[2]), changed, &work) != XMPP_EOK) return 1;
  xmpp_run(work.context);
  xmpp_conn_release(connection);
  xmpp_ctx_free(work.context);
  xmpp_shutdown();
  return work.is_inside && work.found == work.wanted && work.bytes > 0 ? 0 : 1;
}
