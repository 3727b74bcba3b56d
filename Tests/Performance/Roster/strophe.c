/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors
 *
 * strophe PORT CA-FILE COUNT: logs in, fetches the contact list with libstrophe, takes address, name, subscription and
 * group of each entry as a client would, and leaves. Well only when there were COUNT. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <strophe.h>

struct work {
  xmpp_ctx_t *context;
  long wanted, found;
  /* Every entry's texts, so that nothing of them is left out. */
  size_t bytes;
};

static void take(struct work *work, xmpp_stanza_t *item) {
  const char *jid = xmpp_stanza_get_attribute(item, "jid");
  const char *name = xmpp_stanza_get_attribute(item, "name");
  const char *subscription = xmpp_stanza_get_attribute(item, "subscription");
  if (jid == NULL || subscription == NULL) return;
  work->bytes += strlen(jid) + strlen(subscription) + (name ? strlen(name) : 0);
  xmpp_stanza_t *group = xmpp_stanza_get_child_by_name(item, "group");
  if (group != NULL) {
    char *text = xmpp_stanza_get_text(group);
    if (text != NULL) work->bytes += strlen(text);
    xmpp_free(work->context, text);
  }
  work->found++;
}

static int listed(xmpp_conn_t *connection, xmpp_stanza_t *stanza, void *data) {
  struct work *work = data;
  xmpp_stanza_t *query = xmpp_stanza_get_child_by_name(stanza, "query");
  xmpp_stanza_t *item = query ? xmpp_stanza_get_children(query) : NULL;
  for (; item != NULL; item = xmpp_stanza_get_next(item)) take(work, item);
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
  xmpp_stanza_t *request = xmpp_iq_new(work->context, "get", "list");
  xmpp_stanza_t *query = xmpp_stanza_new(work->context);
  xmpp_stanza_set_name(query, "query");
  xmpp_stanza_set_ns(query, XMPP_NS_ROSTER);
  xmpp_stanza_add_child(request, query);
  xmpp_id_handler_add(connection, listed, "list", work);
  xmpp_send(connection, request);
  xmpp_stanza_release(query);
  xmpp_stanza_release(request);
}

int main(int count, char **words) {
  if (count != 4) return 64;
  xmpp_initialize();
  struct work work = {.context = xmpp_ctx_new(NULL, NULL), .wanted = atol(words[3])};
  xmpp_conn_t *connection = xmpp_conn_new(work.context);
  xmpp_conn_set_flags(connection, XMPP_CONN_FLAG_MANDATORY_TLS);
  xmpp_conn_set_cafile(connection, words[2]);
  xmpp_conn_set_jid(connection, "alice@bench.test");
  xmpp_conn_set_pass(connection, "secret");
  if (xmpp_connect_client(connection, "127.0.0.1", (unsigned short)atoi(words[1]), changed, &work) != XMPP_EOK) return 1;
  xmpp_run(work.context);
  xmpp_conn_release(connection);
  xmpp_ctx_free(work.context);
  xmpp_shutdown();
  return work.found == work.wanted && work.bytes > 0 ? 0 : 1;
}
