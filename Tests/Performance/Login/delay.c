/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors
 *
 * A way to a server that holds back each byte, in either direction, for half of a round trip. A process of its own, with
 * one loop. */
#include "delay.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* One client after the other, and the farewell of the one before. */
enum { DIRECTIONS = 16 };

struct piece {
  struct piece *next;
  double due;
  /* 0: the sender has ended. */
  size_t length;
  char bytes[16384];
};

/* What one side says to the other. */
struct direction {
  int from, to;
  bool in_use, has_ended;
  struct piece *first, *last;
};

static struct direction directions[DIRECTIONS];

double now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void begin(int from, int to) {
  for (int i = 0; i < DIRECTIONS; i++) {
    if (directions[i].in_use) continue;
    directions[i] = (struct direction){.from = from, .to = to, .in_use = true};
    return;
  }
  fprintf(stderr, "more connections than there is room for\n");
  exit(1);
}

static void accept_client(int listener, const struct sockaddr_in *target) {
  const int one = 1;
  int client = accept(listener, NULL, NULL);
  if (client < 0) return;
  int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (server < 0 || connect(server, (const struct sockaddr *)target, sizeof *target) != 0) fail("no way to the server");
  setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  setsockopt(server, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  begin(client, server);
  begin(server, client);
}

static void take(struct direction *direction, double delay) {
  struct piece *piece = malloc(sizeof *piece);
  if (!piece) fail("no memory");
  ssize_t length = recv(direction->from, piece->bytes, sizeof piece->bytes, 0);
  piece->next = NULL;
  piece->due = now_ms() + delay;
  piece->length = length > 0 ? (size_t)length : 0;
  direction->has_ended = length <= 0;
  if (direction->last) direction->last->next = piece; else direction->first = piece;
  direction->last = piece;
}

/* The descriptors of a pair are closed when neither direction needs them. */
static void end(struct direction *direction) {
  direction->in_use = false;
  for (int i = 0; i < DIRECTIONS; i++) {
    if (directions[i].in_use && directions[i].from == direction->to) return;
  }
  close(direction->from);
  close(direction->to);
}

static void deliver(struct direction *direction) {
  while (direction->first && direction->first->due <= now_ms()) {
    struct piece *piece = direction->first;
    direction->first = piece->next;
    if (!direction->first) direction->last = NULL;
    size_t length = piece->length;
    for (size_t sent = 0; sent < length;) {
      ssize_t count = send(direction->to, piece->bytes + sent, length - sent, MSG_NOSIGNAL);
      if (count <= 0) break;
      sent += (size_t)count;
    }
    free(piece);
    if (length == 0) {
      shutdown(direction->to, SHUT_WR);
      return end(direction);
    }
  }
}

int delay_listen(int *port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 16) != 0 ||
      getsockname(listener, (struct sockaddr *)&address, &length) != 0)
    fail("no socket");
  *port = ntohs(address.sin_port);
  return listener;
}

void delay_serve(int listener, const char *host, int port, double round_trip) {
  struct sockaddr_in target = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  if (inet_pton(AF_INET, host, &target.sin_addr) != 1) fail(host);
  for (;;) {
    struct pollfd polled[DIRECTIONS + 1] = {{.fd = listener, .events = POLLIN}};
    double wait = 1e4;
    for (int i = 0; i < DIRECTIONS; i++) {
      const struct direction *direction = &directions[i];
      const bool reads = direction->in_use && !direction->has_ended;
      polled[i + 1] = (struct pollfd){.fd = reads ? direction->from : -1, .events = POLLIN};
      if (direction->in_use && direction->first && direction->first->due - now_ms() < wait)
        wait = direction->first->due - now_ms();
    }
    struct timespec patience = {0};
    if (wait > 0) patience = (struct timespec){(time_t)(wait / 1e3), (long)(wait * 1e6) % 1000000000};
    if (ppoll(polled, DIRECTIONS + 1, &patience, NULL) < 0) fail("poll");
    for (int i = 0; i < DIRECTIONS; i++) {
      if (polled[i + 1].revents) take(&directions[i], round_trip / 2);
      if (directions[i].in_use) deliver(&directions[i]);
    }
    if (polled[0].revents) accept_client(listener, &target);
  }
}
