/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors
 *
 * measure JACKDAW STROPHE DIRECTORY ROUNDS: one message by `jackdaw send` and by the libstrophe program, in turns, each
 * time from the start of the process, against a server that answers at once. DIRECTORY has ca.pem, server.pem and
 * server.key, and gets Jackdaw's data.
 *
 * libstrophe reads the file with all of the system's authorities besides the one that it is told to trust, which is most
 * of its time. So there is a third contestant: the same program in an environment that has OpenSSL find no others.
 *
 * Prints a table, and for measure.sh lines of NAME VALUE: `WAY_vs_libstrophe` is the ratio of the median times from
 * the start of the process to the message received (below 1: Jackdaw is quicker), `WAY_vs_libstrophe_without_system_cas`
 * the same with the third contestant, `private_memory_kb` the most memory that Jackdaw had for itself alone (memory.h), and
 * `dirty_memory_kb` what of it a Jackdaw had written, taken in runs of their own. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "memory.h"
#include "server.h"

/* WARM_UP: runs before the counted ones, for the page cache and for what Jackdaw keeps of a first log-in. MEMORY_ROUNDS: runs of
 * each way to log in in which the memory is read. */
enum { WARM_UP = 3, MEMORY_ROUNDS = 10, LONGEST_PATH = 4096 };

struct run {
  double to_message, to_exit, processor;
};

struct series {
  const char *name;
  struct run *runs;
};

static struct seen *seen;
static pid_t server;

static void end_server(void) {
  if (server > 0) kill(server, SIGTERM);
}

static _Noreturn void fail(const char *what, const char *whose) {
  fprintf(stderr, "measure: %s: %s\n", whose, what);
  exit(1);
}

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

/* Runs a program once and sees to it that it did all of its work. Where `memory` is wanted, the run's times say nothing. */
static struct run run_once(const char *name, char *const *words, char *const *environment, struct memory *memory) {
  unsigned messages = seen->messages, pings = seen->pings, goodbyes = seen->goodbyes, connections = seen->connections;
  seen->message_at = 0;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child;
  uint64_t start = monotonic_now();
  if (posix_spawn(&child, words[0], &files, NULL, words, environment) != 0) fail("cannot be started", words[0]);
  int status;
  struct rusage usage = {0};
  if (memory != NULL) {
    *memory = memory_peak(child, &status, 0);
  } else {
    while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {}
  }
  uint64_t end = monotonic_now();
  posix_spawn_file_actions_destroy(&files);
  if (status != 0) fail("did not end well", name);
  /* The next one is not to share the processors with the rest of this one's connection. */
  for (int left = 2000; seen->connections == connections; left--) {
    if (left == 0) fail("the server still serves it", name);
    usleep(1000);
  }
  if (seen->messages != messages + 1 || seen->pings != pings + 1 || seen->goodbyes != goodbyes + 1) {
    fail("did not send one message and one ping and say goodbye", name);
  }
  return (struct run){
    .to_message = (double)(seen->message_at - start) / 1e6,
    .to_exit = (double)(end - start) / 1e6,
    .processor = (seconds(usage.ru_utime) + seconds(usage.ru_stime)) * 1e3,
  };
}

static int by_size(const void *left, const void *right) {
  double difference = *(const double *)left - *(const double *)right;
  return (difference > 0) - (difference < 0);
}

/* The value of the double at `offset` in all runs that stands at `share` when they are sorted. */
static double quantile(const struct series *series, int count, size_t offset, double share) {
  double *values = malloc(sizeof *values * (size_t)count);
  for (int index = 0; index < count; index++) {
    values[index] = *(const double *)((const char *)&series->runs[index] + offset);
  }
  qsort(values, (size_t)count, sizeof *values, by_size);
  double value = values[(int)(share * (count - 1) + 0.5)];
  free(values);
  return value;
}

static void show(const struct series *series, int count) {
  printf("  %-20s message %6.2f ms (quickest %6.2f), exit %6.2f ms, processor %6.2f ms\n", series->name,
         quantile(series, count, offsetof(struct run, to_message), 0.5),
         quantile(series, count, offsetof(struct run, to_message), 0),
         quantile(series, count, offsetof(struct run, to_exit), 0.5),
         quantile(series, count, offsetof(struct run, processor), 0.5));
}

static double ratio(const struct series *ours, const struct series *theirs, int count, size_t offset, double share) {
  return quantile(ours, count, offset, share) / quantile(theirs, count, offset, share);
}

/* Removes what Jackdaw keeps of the account, so that the next log-in is a first one. */
static void forget(const char *data) {
  const char *names[] = {"alice@bench.test.sqlite3", "alice@bench.test.sqlite3-wal", "alice@bench.test.sqlite3-shm"};
  char path[LONGEST_PATH + 64];
  for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
    snprintf(path, sizeof path, "%s/%s", data, names[index]);
    if (unlink(path) != 0 && errno != ENOENT) fail("cannot be removed", path);
  }
}

/* Text in memory that lasts as long as the process. */
static char *text(const char *format, const char *argument) {
  char *made;
  if (asprintf(&made, format, argument) < 0) fail("no memory", "asprintf");
  return made;
}

static struct memory more(struct memory left, struct memory right) {
  return (struct memory){
    .private_kb = left.private_kb > right.private_kb ? left.private_kb : right.private_kb,
    .dirty_kb = left.dirty_kb > right.dirty_kb ? left.dirty_kb : right.dirty_kb,
  };
}

/* Lets all send a message by turns. Returns the most memory that Jackdaw took. */
static struct memory compare(const struct way *way, const char *jackdaw, const char *strophe, const char *directory,
                             int rounds, bool first_time) {
  char port[16];
  snprintf(port, sizeof port, "%d", way->port);
  char *tls = way->direct_tls ? "direct" : "starttls", *authority = text("%s/ca.pem", directory);
  char *data = text(text("%%s/data-%s", port), directory);
  char *jackdaw_environment[] = {text("JACKDAW_DATA_DIR=%s", data), text("JACKDAW_CONFIG=%s/none.toml", directory),
                                 text("JACKDAW_CA_FILE=%s", authority), text("JACKDAW_SERVER=127.0.0.1:%s", port),
                                 text("JACKDAW_TLS=%s", tls), text("HOME=%s", directory),
                                 "JACKDAW_JID=" BENCH_USER "@" BENCH_DOMAIN, "JACKDAW_PASSWORD=" BENCH_PASSWORD,
                                 "LANG=C.UTF-8", NULL};
  char *strophe_environment[] = {"LANG=C.UTF-8", NULL};
  char *lean_environment[] = {"LANG=C.UTF-8", text("SSL_CERT_FILE=%s", authority), text("SSL_CERT_DIR=%s/none", directory),
                              NULL};
  char *jackdaw_words[] = {(char *)jackdaw, "send", BENCH_RECIPIENT, BENCH_TEXT, NULL};
  char *strophe_words[] = {(char *)strophe, port, tls, authority, NULL};
  struct contestant {
    struct series series;
    char **words, **environment;
  } all[] = {
    {{"jackdaw", NULL}, jackdaw_words, jackdaw_environment},
    {{"libstrophe", NULL}, strophe_words, strophe_environment},
    {{"  without system CAs", NULL}, strophe_words, lean_environment},
  };
  int count = sizeof all / sizeof *all;

  for (int which = 0; which < count; which++) all[which].series.runs = calloc((size_t)rounds, sizeof(struct run));
  for (int round = -WARM_UP; round < rounds; round++) {
    for (int turn = 0; turn < count; turn++) {
      /* Each follows each as often. */
      int which = round % 2 == 0 ? turn : count - 1 - turn;
      if (which == 0 && first_time) forget(data);
      struct run run = run_once(all[which].series.name, all[which].words, all[which].environment, NULL);
      if (round >= 0) all[which].series.runs[round] = run;
    }
  }
  struct memory most = {0, 0};
  for (int round = 0; round < MEMORY_ROUNDS; round++) {
    struct memory memory;
    if (first_time) forget(data);
    run_once(all[0].series.name, jackdaw_words, jackdaw_environment, &memory);
    most = more(most, memory);
  }
  printf("%s%s, %d rounds\n", way->name, first_time ? ", first log-in each time" : "", rounds);
  for (int which = 0; which < count; which++) show(&all[which].series, rounds);
  printf("  jackdaw's memory     private %ld KB, of these written %ld KB\n", most.private_kb, most.dirty_kb);
  size_t to_message = offsetof(struct run, to_message);
  const char *suffix = first_time ? "_first" : "";
  printf("%s%s_vs_libstrophe %.3f\n", way->name, suffix,
         ratio(&all[0].series, &all[1].series, rounds, to_message, 0.5));
  printf("%s%s_vs_libstrophe_without_system_cas %.3f\n", way->name, suffix,
         ratio(&all[0].series, &all[2].series, rounds, to_message, 0.5));
  fflush(stdout);
  return most;
}

int main(int count, char **words) {
  if (count != 5) fail("JACKDAW STROPHE DIRECTORY ROUNDS", "wanted");
  int rounds = atoi(words[4]);
  if (rounds < 1 || strlen(words[3]) > LONGEST_PATH - 64) fail("not right", "DIRECTORY ROUNDS");
  struct way ways[] = {
    {.name = "direct_scram", .mechanism = "SCRAM-SHA-256", .direct_tls = true},
    {.name = "starttls_scram", .mechanism = "SCRAM-SHA-256"},
    {.name = "starttls_scram_sha1", .mechanism = "SCRAM-SHA-1"},
    {.name = "starttls_plain", .mechanism = "PLAIN"},
  };
  int ways_count = sizeof ways / sizeof *ways;
  seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (seen == MAP_FAILED) fail("no memory", "shared");
  server_listen(ways, ways_count);
  pid_t parent = getpid();
  server = fork();
  if (server < 0) fail("cannot be started", "the server");
  if (server == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() == parent) server_run(ways, ways_count, words[3], seen);
    _exit(1);
  }
  atexit(end_server);

  struct memory most = {0, 0};
  for (int index = 0; index < ways_count; index++) {
    most = more(most, compare(&ways[index], words[1], words[2], words[3], rounds, false));
  }
  most = more(most, compare(&ways[0], words[1], words[2], words[3], rounds, true));
  printf("private_memory_kb %ld\ndirty_memory_kb %ld\n", most.private_kb, most.dirty_kb);
  return 0;
}
