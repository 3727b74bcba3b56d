/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#include "server.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <openssl/err.h>
#include <openssl/ssl.h>

#include "scram.h"

#define BIND_NAMESPACE "urn:ietf:params:xml:ns:xmpp-bind"
#define SASL_NAMESPACE "urn:ietf:params:xml:ns:xmpp-sasl"
#define COUNTING_NAMESPACE "urn:xmpp:sm:3"
#define DISCOVERY_NAMESPACE "http://jabber.org/protocol/disco#info"
#define ARCHIVE_NAMESPACE "urn:xmpp:mam:2"

/* A client that says nothing for that long has gone astray. */
enum { PATIENCE_SECONDS = 10 };

struct session {
  int descriptor;
  SSL *tls;
  const struct way *way;
  const struct scram_secret *secret;
  struct seen *seen;
  struct scram_exchange exchange;
  bool authenticated;
  bool counts;
  /* The client's stanzas since it had them counted. */
  uint32_t handled;
  /* Ours since then, and what the client has acknowledged when it has all of the traffic; 0: that is not sent yet. */
  uint32_t sent, awaited;
  char input[32768];
  size_t input_length;
  char output[8192];
  size_t output_length;
};

static struct scram_secret sha1_secret, sha256_secret;

uint64_t monotonic_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static _Noreturn void give_up(const char *what) {
  perror(what);
  ERR_print_errors_fp(stderr);
  exit(1);
}

void server_listen(struct way *ways, int count) {
  for (int index = 0; index < count; index++) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 16) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) != 0) {
      give_up("cannot listen");
    }
    ways[index].listener = listener;
    ways[index].port = ntohs(address.sin_port);
  }
}

/* Bytes. */

static void say(struct session *session, const char *text) {
  size_t length = strlen(text);
  if (session->output_length + length > sizeof session->output) return;
  memcpy(session->output + session->output_length, text, length);
  session->output_length += length;
}

/* Sends all that was said, in one write. */
static bool flush(struct session *session) {
  int length = (int)session->output_length;
  session->output_length = 0;
  if (length == 0) return true;
  return session->tls ? SSL_write(session->tls, session->output, length) == length
                      : send(session->descriptor, session->output, (size_t)length, MSG_NOSIGNAL) == length;
}

static bool read_more(struct session *session) {
  size_t room = sizeof session->input - 1 - session->input_length;
  char *end = session->input + session->input_length;
  int count =
    session->tls ? SSL_read(session->tls, end, (int)room) : (int)recv(session->descriptor, end, room, 0);
  if (room == 0 || count <= 0) return false;
  session->input_length += (size_t)count;
  session->input[session->input_length] = 0;
  return true;
}

/* Elements, as far as two known clients write them: no '>' in an attribute, no element within one of its own name. */

/* The length of the element that `text` begins with, or 0 while it is not all there. */
static size_t element_length(const char *text) {
  const char *end = strchr(text, '>');
  if (end == NULL) return 0;
  size_t tag = (size_t)(end - text) + 1;
  if (strncmp(text, "<?", 2) == 0 || strncmp(text, "</", 2) == 0 || strncmp(text, "<stream:stream", 14) == 0 ||
      end[-1] == '/') {
    return tag;
  }
  char closing[64];
  size_t name = strcspn(text + 1, " />");
  if (name > sizeof closing - 4) return 0;
  snprintf(closing, sizeof closing, "</%.*s>", (int)name, text + 1);
  const char *found = strstr(end, closing);
  return found ? (size_t)(found - text) + name + 3 : 0;
}

/* Copies what follows `before` as far as one of `ends`; false where it is not there. */
static bool copy_between(const char *text, const char *before, const char *ends, char *out, size_t size) {
  const char *start = strstr(text, before);
  if (start == NULL) return false;
  start += strlen(before);
  size_t length = strcspn(start, ends);
  if (length >= size) return false;
  memcpy(out, start, length);
  out[length] = 0;
  return true;
}

static bool copy_attribute(const char *element, const char *name, char *out, size_t size) {
  char before[32];
  snprintf(before, sizeof before, " %s='", name);
  if (copy_between(element, before, "'", out, size)) return true;
  snprintf(before, sizeof before, " %s=\"", name);
  return copy_between(element, before, "\"", out, size);
}

/* Answers. */

static void answer_header(struct session *session) {
  say(session, "<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' "
               "from='" BENCH_DOMAIN "' id='stream' version='1.0'><stream:features>");
  if (session->tls == NULL) {
    say(session, "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>");
  } else if (session->authenticated) {
    say(session, "<bind xmlns='" BIND_NAMESPACE "'/>");
    if (session->way->acknowledges) say(session, "<sm xmlns='" COUNTING_NAMESPACE "'/>");
  } else {
    say(session, "<mechanisms xmlns='" SASL_NAMESPACE "'><mechanism>");
    say(session, session->way->mechanism);
    say(session, "</mechanism></mechanisms>");
  }
  say(session, "</stream:features>");
}

static bool accept_tls(struct session *session, SSL_CTX *context) {
  session->tls = SSL_new(context);
  SSL_set_fd(session->tls, session->descriptor);
  return SSL_accept(session->tls) == 1;
}

/* Sends a SASL element with a payload. */
static void say_sasl(struct session *session, const char *name, const char *payload) {
  char encoded[2048], element[2304];
  EVP_EncodeBlock((unsigned char *)encoded, (const unsigned char *)payload, (int)strlen(payload));
  snprintf(element, sizeof element, "<%s xmlns='" SASL_NAMESPACE "'>%s</%s>", name, encoded, name);
  say(session, element);
}

/* The payload of a SASL element, decoded, with its NULs replaced by spaces. */
static bool sasl_payload(const char *element, char *out, size_t size) {
  char encoded[2048];
  if (!copy_between(element, ">", "<", encoded, sizeof encoded)) return false;
  size_t length = strlen(encoded);
  if (length % 4 != 0 || length / 4 * 3 >= size) return false;
  int count = EVP_DecodeBlock((unsigned char *)out, (unsigned char *)encoded, (int)length);
  if (count < 0) return false;
  for (size_t at = length; at > 0 && encoded[at - 1] == '='; at--) count--;
  for (int at = 0; at < count; at++) {
    if (out[at] == 0) out[at] = ' ';
  }
  out[count] = 0;
  return true;
}

static bool answer_auth(struct session *session, const char *element) {
  char mechanism[32], message[1024];
  if (!copy_attribute(element, "mechanism", mechanism, sizeof mechanism) ||
      strcmp(mechanism, session->way->mechanism) != 0 || !sasl_payload(element, message, sizeof message)) {
    return false;
  }
  if (session->secret != NULL) {
    if (!scram_begin(&session->exchange, session->secret, message)) return false;
    say_sasl(session, "challenge", session->exchange.server_first);
    return true;
  }
  if (strcmp(message, " " BENCH_USER " " BENCH_PASSWORD) != 0) return false;
  say(session, "<success xmlns='" SASL_NAMESPACE "'/>");
  session->authenticated = true;
  return true;
}

static bool answer_response(struct session *session, const char *element) {
  char message[1024], signature[256];
  if (session->secret == NULL || !sasl_payload(element, message, sizeof message) ||
      !scram_finish(&session->exchange, message, signature, sizeof signature)) {
    return false;
  }
  say_sasl(session, "success", signature);
  session->authenticated = true;
  return true;
}

static void answer_iq(struct session *session, const char *element) {
  char id[128], resource[128], answer[512];
  if (!copy_attribute(element, "id", id, sizeof id)) return;
  if (strstr(element, "urn:xmpp:ping") != NULL) session->seen->pings++;
  if (strstr(element, BIND_NAMESPACE) != NULL) {
    if (!copy_between(element, "<resource>", "<", resource, sizeof resource)) strcpy(resource, "given");
    snprintf(answer, sizeof answer,
             "<iq type='result' id='%s'><bind xmlns='" BIND_NAMESPACE "'><jid>" BENCH_USER "@" BENCH_DOMAIN
             "/%s</jid></bind></iq>",
             id, resource);
  } else {
    char asked[128];
    const char *payload = "";
    if (!copy_attribute(element, "to", asked, sizeof asked)) strcpy(asked, BENCH_USER "@" BENCH_DOMAIN);
    if (strstr(element, DISCOVERY_NAMESPACE) != NULL) {
      payload = session->way->archives ? "<query xmlns='" DISCOVERY_NAMESPACE "'><feature var='" ARCHIVE_NAMESPACE "'/></query>"
                                       : "<query xmlns='" DISCOVERY_NAMESPACE "'/>";
    } else if (strstr(element, ARCHIVE_NAMESPACE) != NULL) {
      payload = "<fin xmlns='" ARCHIVE_NAMESPACE "' complete='true'><set xmlns='http://jabber.org/protocol/rsm'/></fin>";
    }
    snprintf(answer, sizeof answer, "<iq type='result' from='%s' id='%s'>%s</iq>", asked, id, payload);
  }
  say(session, answer);
  session->sent++;
}

/* Sends all of the way's traffic. */
static bool send_traffic(struct session *session) {
  const struct traffic *traffic = session->way->traffic;
  if (!flush(session)) return false;
  session->sent += traffic->stanzas;
  session->awaited = session->sent;
  session->seen->sending_at = monotonic_now();
  return SSL_write(session->tls, traffic->text, (int)traffic->length) == (int)traffic->length;
}

/* The client has that many of our stanzas. */
static void acknowledged(struct session *session, const char *element) {
  char count[16];
  if (session->awaited == 0 || session->seen->acknowledged_at != 0 || !copy_attribute(element, "h", count, sizeof count)) {
    return;
  }
  if (strtoul(count, NULL, 10) >= session->awaited) session->seen->acknowledged_at = monotonic_now();
}

/* What of XEP-0198 a server has to say that only acknowledges. False where it is something else. */
static bool answer_counting(struct session *session, const char *element) {
  if (strncmp(element, "<enable", 7) == 0) {
    say(session, "<enabled xmlns='" COUNTING_NAMESPACE "' id='bench' resume='true' max='60'/>");
    session->counts = true;
    session->handled = 0;
    session->sent = 0;
    return true;
  }
  if (strncmp(element, "<a ", 3) == 0) {
    acknowledged(session, element);
    return true;
  }
  if (strncmp(element, "<r ", 3) != 0 && strncmp(element, "<r/", 3) != 0) return false;
  char text[96];
  snprintf(text, sizeof text, "<a xmlns='" COUNTING_NAMESPACE "' h='%u'/>", session->handled);
  say(session, text);
  return true;
}

/* False at the end of the stream. */
static bool answer(struct session *session, const char *element, SSL_CTX *context) {
  if (strncmp(element, "<?", 2) == 0) return true;
  if (strncmp(element, "<stream:stream", 14) == 0) {
    answer_header(session);
    return true;
  }
  if (strncmp(element, "</stream:stream", 15) == 0) {
    session->seen->goodbyes++;
    say(session, "</stream:stream>");
    flush(session);
    return false;
  }
  if (session->tls == NULL) {
    if (strncmp(element, "<starttls", 9) != 0) return false;
    say(session, "<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>");
    session->input_length = 0;
    return flush(session) && accept_tls(session, context);
  }
  if (!session->authenticated) {
    if (strncmp(element, "<auth", 5) == 0) return answer_auth(session, element);
    if (strncmp(element, "<response", 9) == 0) return answer_response(session, element);
    return false;
  }
  if (session->way->acknowledges && answer_counting(session, element)) return true;
  if (session->counts) session->handled++;
  if (strncmp(element, "<message", 8) == 0 && strstr(element, BENCH_TEXT) != NULL &&
      strstr(element, BENCH_RECIPIENT) != NULL) {
    session->seen->message_at = monotonic_now();
    if (session->seen->messages++ == 0) session->seen->first_message_at = session->seen->message_at;
    if (session->seen->messages == session->way->stops_after) sleep(STOP_SECONDS);
  }
  if (strncmp(element, "<iq", 3) == 0) answer_iq(session, element);
  bool is_awaited = session->way->traffic != NULL && session->counts && session->awaited == 0;
  return !is_awaited || strncmp(element, "<presence", 9) != 0 || send_traffic(session);
}

/* Answers all that is there. False at the end. */
static bool answer_all(struct session *session, SSL_CTX *context) {
  while (true) {
    size_t blank = strspn(session->input, " \n");
    size_t length = session->input[blank] == '<' ? element_length(session->input + blank) : 0;
    if (length == 0) return true;
    char element[4096];
    if (length >= sizeof element) return false;
    memcpy(element, session->input + blank, length);
    element[length] = 0;
    session->input_length -= blank + length;
    memmove(session->input, session->input + blank + length, session->input_length + 1);
    if (!answer(session, element, context)) return false;
  }
}

static void serve(struct session *session, SSL_CTX *context) {
  if (!session->way->direct_tls || accept_tls(session, context)) {
    while (read_more(session) && answer_all(session, context) && flush(session)) {}
  }
  flush(session);
  char rest[512];
  if (session->tls != NULL) {
    SSL_shutdown(session->tls);
    while (SSL_read(session->tls, rest, sizeof rest) > 0) {}
    SSL_free(session->tls);
    ERR_clear_error();
  }
  shutdown(session->descriptor, SHUT_WR);
  while (recv(session->descriptor, rest, sizeof rest, 0) > 0) {}
}

static SSL_CTX *make_context(const char *directory) {
  char certificate[4096], key[4096];
  snprintf(certificate, sizeof certificate, "%s/server.pem", directory);
  snprintf(key, sizeof key, "%s/server.key", directory);
  SSL_CTX *context = SSL_CTX_new(TLS_server_method());
  if (context == NULL || SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) != 1 ||
      SSL_CTX_use_certificate_chain_file(context, certificate) != 1 ||
      SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1) {
    give_up("the server's certificate");
  }
  return context;
}

_Noreturn void server_run(const struct way *ways, int count, const char *directory, struct seen *seen) {
  signal(SIGPIPE, SIG_IGN);
  SSL_CTX *context = make_context(directory);
  scram_make_secret(&sha1_secret, EVP_sha1(), BENCH_PASSWORD, BENCH_ROUNDS);
  scram_make_secret(&sha256_secret, EVP_sha256(), BENCH_PASSWORD, BENCH_ROUNDS);
  struct pollfd polled[16];
  for (int index = 0; index < count; index++) polled[index] = (struct pollfd){ways[index].listener, POLLIN, 0};
  while (true) {
    if (poll(polled, (nfds_t)count, -1) <= 0) continue;
    for (int index = 0; index < count; index++) {
      if ((polled[index].revents & POLLIN) == 0) continue;
      int descriptor = accept4(ways[index].listener, NULL, NULL, SOCK_CLOEXEC);
      if (descriptor < 0) continue;
      int on = 1;
      struct timeval patience = {PATIENCE_SECONDS, 0};
      setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
      static struct session session;
      memset(&session, 0, sizeof session);
      session.descriptor = descriptor;
      session.way = &ways[index];
      session.seen = seen;
      session.secret = strcmp(ways[index].mechanism, "SCRAM-SHA-256") == 0 ? &sha256_secret
                       : strcmp(ways[index].mechanism, "SCRAM-SHA-1") == 0 ? &sha1_secret
                                                                          : NULL;
      serve(&session, context);
      close(descriptor);
      seen->connections++;
    }
  }
}
