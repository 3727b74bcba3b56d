/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors
 *
 * receiving JACKDAW STROPHE DIRECTORY MESSAGES ROUNDS: how long it takes to receive so many messages, which a server sends as fast as
 * they are taken, in turns with a libstrophe program. Jackdaw stores them, prints them and acknowledges what it has stored.
 *
 * The processor's time is that of the client alone, user's and system's, from its start to its end, less what the same takes with
 * one message; the rate is that of the time from the first byte sent to the last message acknowledged. Medians, for bare messages,
 * for annotated ones (traffic.h), and for annotated ones from a server with an archive, whose answer comes behind all of them: until
 * then they wait for their place, on the disk. As lines of NAME VALUE. */
#include "traffic.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* The ways: of each kind one message and all of them. */
enum { BARE_ONE, BARE, ANNOTATED_ONE, ANNOTATED, WAITING_ONE, WAITING, WAYS };
enum { JACKDAW, STROPHE, CLIENTS };
enum { MOST_ROUNDS = 100, LONGEST_PATH = 4096 };

struct run {
  /* Both in seconds. */
  double processor, receiving;
};

static struct seen *seen;
static struct way ways[WAYS];
static char *program[CLIENTS], *directory;
static unsigned messages;

static _Noreturn void fail(const char *what, const char *whose) {
  fprintf(stderr, "receiving: %s: %s\n", whose, what);
  exit(1);
}

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

/* Each line is a message's, and they are in order. */
static void check_output(const char *path, unsigned count, const char *whose) {
  FILE *file = fopen(path, "r");
  char *line = NULL;
  size_t room = 0;
  unsigned number = 0;
  while (file != NULL && getline(&line, &room, file) > 0) {
    const char *found = strstr(line, BODY_BEGINS);
    if (found == NULL || strtoul(found + strlen(BODY_BEGINS), NULL, 10) != ++number) fail("printed something else", whose);
  }
  if (file == NULL || number != count) fail("did not print every message", whose);
  free(line);
  fclose(file);
}

static void spawn(int client, int way, unsigned count, const char *output, pid_t *child) {
  char address[32], authority[LONGEST_PATH + 64], removal[LONGEST_PATH + 64], number[16], port[16];
  snprintf(number, sizeof number, "%u", count);
  snprintf(port, sizeof port, "%d", ways[way].port);
  snprintf(address, sizeof address, "127.0.0.1:%d", ways[way].port);
  snprintf(authority, sizeof authority, "%s/ca.pem", directory);
  snprintf(removal, sizeof removal, "rm -rf '%s/data'", directory);
  setenv("JACKDAW_SERVER", address, 1);
  /* The database is a new one each time. */
  if (client == JACKDAW && system(removal) != 0) fail("cannot be removed", "data");
  char *jackdaw[] = {program[JACKDAW], "listen", "--count", number, NULL};
  char *strophe[] = {program[STROPHE], port, authority, number, NULL};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  char *const *words = client == JACKDAW ? jackdaw : strophe;
  if (posix_spawn(child, words[0], &files, NULL, words, environ) != 0) fail("cannot be started", words[0]);
  posix_spawn_file_actions_destroy(&files);
}

static struct run run_once(int client, int way) {
  unsigned count = ways[way].traffic->stanzas, connections = seen->connections;
  seen->acknowledged_at = 0;
  char output[LONGEST_PATH + 64];
  snprintf(output, sizeof output, "%s/output", directory);
  pid_t child;
  int status;
  struct rusage usage = {0};
  spawn(client, way, count, output, &child);
  while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {}
  if (status != 0) fail("did not end well", program[client]);
  /* The next one is not to share the processors with the rest of this one's connection. */
  for (int left = 2000; seen->connections == connections; left--) {
    if (left == 0) fail("the server still serves it", program[client]);
    usleep(1000);
  }
  if (seen->acknowledged_at == 0) fail("did not acknowledge every message", program[client]);
  check_output(output, count, program[client]);
  return (struct run){
    .processor = seconds(usage.ru_utime) + seconds(usage.ru_stime),
    .receiving = (double)(seen->acknowledged_at - seen->sending_at) / 1e9,
  };
}

static int by_size(const void *left, const void *right) {
  double difference = *(const double *)left - *(const double *)right;
  return (difference > 0) - (difference < 0);
}

static double median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, by_size);
  return values[count / 2];
}

/* Runs both clients in turns, and prints the figures under a name. */
static void compare(const char *name, int one, int all, int rounds) {
  static double processor[CLIENTS][MOST_ROUNDS], rate[CLIENTS][MOST_ROUNDS];
  for (int round = -1; round < rounds; round++) {
    for (int turn = 0; turn < CLIENTS; turn++) {
      int client = (turn + round) & 1;
      struct run start = run_once(client, one), run = run_once(client, all);
      /* The first one is for the page cache. */
      if (round < 0) continue;
      processor[client][round] = (run.processor - start.processor) / (messages - 1) * 1e6;
      rate[client][round] = messages / run.receiving;
    }
  }
  double cost = median(processor[JACKDAW], rounds), their_cost = median(processor[STROPHE], rounds);
  double speed = median(rate[JACKDAW], rounds), their_speed = median(rate[STROPHE], rounds);
  printf("%s, %d rounds\n", name, rounds);
  printf("  jackdaw     processor %6.2f µs a message, %7.0f messages a second\n", cost, speed);
  printf("  libstrophe  processor %6.2f µs a message, %7.0f messages a second\n", their_cost, their_speed);
  printf("%s_processor_us %.2f\n%s_messages_a_second %.0f\n", name, cost, name, speed);
  printf("%s_processor_vs_libstrophe %.3f\n%s_rate_vs_libstrophe %.3f\n", name, cost / their_cost, name, speed / their_speed);
  fflush(stdout);
}

int main(int count, char **words) {
  if (count != 6) fail("JACKDAW STROPHE DIRECTORY MESSAGES ROUNDS", "wanted");
  program[JACKDAW] = words[1];
  program[STROPHE] = words[2];
  directory = words[3];
  messages = (unsigned)atoi(words[4]);
  int rounds = atoi(words[5]);
  if (messages < 2 || rounds < 1 || rounds > MOST_ROUNDS || strlen(directory) > LONGEST_PATH - 64) {
    fail("not right", "DIRECTORY MESSAGES ROUNDS");
  }
  struct traffic traffic[WAYS];
  for (int way = 0; way < WAYS; way++) {
    traffic[way] = make_traffic(way % 2 == 0 ? 1 : messages, way >= ANNOTATED_ONE);
    ways[way] = (struct way){.name = "receiving", .mechanism = "SCRAM-SHA-256", .direct_tls = true, .acknowledges = true,
                             .archives = way >= WAITING_ONE, .traffic = &traffic[way]};
  }
  seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (seen == MAP_FAILED) fail("no memory", "shared");
  server_listen(ways, WAYS);
  pid_t parent = getpid(), server = fork();
  if (server < 0) fail("cannot be started", "the server");
  if (server == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent) server_run(ways, WAYS, directory, seen);
    _exit(1);
  }
  compare("bare", BARE_ONE, BARE, rounds);
  compare("annotated", ANNOTATED_ONE, ANNOTATED, rounds);
  compare("waiting", WAITING_ONE, WAITING, rounds);
  kill(server, SIGKILL);
  return 0;
}
