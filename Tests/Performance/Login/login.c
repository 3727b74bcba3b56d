/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors
 *
 * login ROUNDS ROUND_TRIP_MS HOST PORT JACKDAW SCRIPT RECIPIENT: how long one message takes from the start of the process
 * to its end over a slow line: as a single command, which asks for nothing at log-in, and as a script of one line, whose
 * log-in asks for all that a session which remains online needs. In turns; the least of each counts, which a busy machine changes
 * least. What both take over a line without delay is the machine's time, and taken off. HOME is a directory to fill. */
#include "delay.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* With a data directory of its own each time: what earlier log-ins found would spare a later one a request. */
static double run(char *const arguments[]) {
  static int number;
  char directory[4096];
  snprintf(directory, sizeof directory, "%s/data-%d", getenv("HOME"), number++);
  setenv("JACKDAW_DATA_DIR", directory, 1);
  double start = now_ms();
  pid_t child = fork();
  if (child == 0) {
    int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    execv(arguments[0], arguments);
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
    fprintf(stderr, "%s %s ended with status %d\n", arguments[0], arguments[1], status);
    exit(1);
  }
  return now_ms() - start;
}

static double smaller(double left, double right) { return left < right ? left : right; }

/* Over a line of its own: the least time of a single command and of the script, alone and together. */
static void measure(int rounds, double round_trip, char **words, double *without, double *with) {
  int port = 0, listener = delay_listen(&port);
  pid_t parent = getpid(), proxy = fork();
  if (proxy < 0) {
    perror("fork");
    exit(1);
  }
  if (proxy == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent) delay_serve(listener, words[3], atoi(words[4]), round_trip);
    _exit(1);
  }
  close(listener);
  char server[32];
  snprintf(server, sizeof server, "127.0.0.1:%d", port);
  setenv("JACKDAW_SERVER", server, 1);
  char *single[] = {words[5], "send", words[7], "hello", NULL};
  char *script[] = {words[5], "-q", "run", words[6], NULL};
  *without = run(single);
  *with = run(script);
  for (int i = 0; i < rounds; i++) {
    *without = smaller(*without, run(single));
    *with = smaller(*with, run(script));
  }
  kill(proxy, SIGKILL);
  waitpid(proxy, NULL, 0);
}

int main(int count, char **words) {
  if (count != 8) return fprintf(stderr, "see the head of the source\n"), 64;
  int rounds = atoi(words[1]);
  double round_trip = atof(words[2]), without, with, quick_without, quick_with;
  if (rounds < 1 || round_trip <= 0) return fprintf(stderr, "ROUNDS and ROUND_TRIP_MS are numbers above 0\n"), 64;
  measure(rounds, 0, words, &quick_without, &quick_with);
  measure(rounds, round_trip, words, &without, &with);
  without = (without - quick_without) / round_trip;
  with = (with - quick_with) / round_trip;
  printf("login_without_requests_round_trips %.1f\n", without);
  printf("login_with_requests_round_trips %.1f\n", with);
  /* To the tenth: what is finer is the machine's time and not the line's. */
  printf("login_more_round_trips %.1f\n", with - without);
  return 0;
}
