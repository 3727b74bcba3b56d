/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors
 *
 * outbox JACKDAW DIRECTORY SCRIPT MESSAGES STOPS_AFTER: runs the script, which sends so many messages, against a server that only
 * acknowledges. Prints how many a second came from the first to the last, how many the process sent in a second from its start to
 * its end, what one took of the processor's time in µs, the client's alone, its start and its end included, and the most memory
 * that it had for itself alone. After STOPS_AFTER messages the server reads nothing for a while; 0: never. */
#include "../Message/memory.h"
#include "../Message/server.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Microseconds between two readings of the memory, which are not to slow the sending down. */
enum { MEMORY_PAUSE = 10000 };

int main(int count, char **words) {
  if (count != 6) return fprintf(stderr, "see the head of the source\n"), 64;
  unsigned messages = (unsigned)atoi(words[4]);
  struct way way = {.name = "acknowledging", .mechanism = "SCRAM-SHA-256", .direct_tls = true, .acknowledges = true,
                    .stops_after = (unsigned)atoi(words[5])};
  struct seen *seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (seen == MAP_FAILED) return perror("shared memory"), 1;
  server_listen(&way, 1);
  pid_t parent = getpid(), server = fork();
  if (server == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent) server_run(&way, 1, words[2], seen);
    _exit(1);
  }
  char address[32];
  snprintf(address, sizeof address, "127.0.0.1:%d", way.port);
  setenv("JACKDAW_SERVER", address, 1);
  uint64_t start = monotonic_now();
  char *run[] = {words[1], "-q", "--timeout", "60", "run", words[3], NULL};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDWR, 0);
  pid_t client;
  if (server < 0 || posix_spawn(&client, words[1], &files, NULL, run, environ) != 0) return perror("start"), 1;
  int status = 0;
  struct memory memory = memory_peak(client, &status, MEMORY_PAUSE);
  double whole = (double)(monotonic_now() - start) / 1e9;
  /* The server is not waited for. */
  struct rusage usage;
  getrusage(RUSAGE_CHILDREN, &usage);
  double processor = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
                     (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  kill(server, SIGKILL);
  if (status != 0 || seen->messages != messages) {
    return fprintf(stderr, "status %d, %u of %u messages\n", status, seen->messages, messages), 1;
  }
  double sending = (double)(seen->message_at - seen->first_message_at) / 1e9;
  printf("sending %.0f\nwhole %.0f\nprocessor_us %.2f\nprivate_kb %ld\n", messages / sending, messages / whole,
         processor / messages, memory.private_kb);
  return 0;
}
