/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#ifndef DELAY_H
#define DELAY_H

/* Milliseconds of the monotonic clock. */
double now_ms(void);

/* A socket that listens at a free port of 127.0.0.1; ends the process when there is none. */
int delay_listen(int *port);

/* Takes clients to the server, each byte delayed by half of `round_trip` milliseconds. Does not return. */
void delay_serve(int listener, const char *host, int port, double round_trip);

#endif
