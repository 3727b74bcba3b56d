/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors
 *
 * prompt ROUNDS PROGRAM [WORD...]: starts the program on a pseudo-terminal of its own, and when a prompt ("> ") was drawn
 * takes the time that its threads had of the processors by then. Ctrl-D is typed after it. What the program does between
 * drawing and the look at its clock is counted as well, so the number errs to the larger side. What else the machine does
 * only ever adds to it: `prompt_processor_ms` is the least of all rounds. */
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_MILLISECONDS = 10000, WARM_UP = 3 };

struct run {
  /* Milliseconds: of the processors until the prompt, and in all; of the clock until the prompt. */
  double until_prompt, processor, to_prompt;
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static double milliseconds(struct timeval time) { return (double)time.tv_sec * 1e3 + (double)time.tv_usec / 1e3; }

/* What the threads of a process had of the processors so far (proc(5), schedstat), in milliseconds. */
static double processor_so_far(pid_t process) {
  char path[512];
  snprintf(path, sizeof path, "/proc/%d/task", (int)process);
  DIR *threads = opendir(path);
  if (threads == NULL) return 0;
  double sum = 0;
  for (struct dirent *entry; (entry = readdir(threads)) != NULL;) {
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "/proc/%d/task/%s/schedstat", (int)process, entry->d_name);
    FILE *file = fopen(path, "r");
    unsigned long long nanoseconds;
    if (file != NULL && fscanf(file, "%llu", &nanoseconds) == 1) sum += (double)nanoseconds / 1e6;
    if (file != NULL) fclose(file);
  }
  closedir(threads);
  return sum;
}

static struct run run_once(char **words) {
  struct winsize size = {.ws_row = 24, .ws_col = 80};
  int terminal;
  double start = now();
  pid_t child = forkpty(&terminal, NULL, NULL, &size);
  if (child < 0) {
    perror("prompt: no pseudo-terminal");
    exit(1);
  }
  if (child == 0) {
    execv(words[0], words);
    perror(words[0]);
    _exit(127);
  }
  struct run run = {0};
  char screen[65536] = "";
  size_t length = 0;
  while (1) {
    struct pollfd polled = {terminal, POLLIN, 0};
    if (poll(&polled, 1, PATIENCE_MILLISECONDS) <= 0) break;
    /* EIO is the end of a pseudo-terminal. */
    ssize_t count = read(terminal, screen + length, sizeof screen - 1 - length);
    if (count <= 0) break;
    length += (size_t)count;
    screen[length] = 0;
    if (run.to_prompt == 0 && strstr(screen, "> ") != NULL) {
      run.until_prompt = processor_so_far(child);
      run.to_prompt = now() - start;
      if (write(terminal, "\4", 1) != 1) break;
    }
  }
  int status = 0;
  struct rusage usage = {0};
  if (run.to_prompt == 0) kill(child, SIGKILL);
  while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {}
  close(terminal);
  if (run.to_prompt == 0 || status != 0) {
    fprintf(stderr, "prompt: %s: %s; it wrote:\n%s\n", words[0], run.to_prompt == 0 ? "no prompt came" : "ended badly", screen);
    exit(1);
  }
  run.processor = milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime);
  return run;
}

static int by_size(const void *left, const void *right) {
  double difference = *(const double *)left - *(const double *)right;
  return (difference > 0) - (difference < 0);
}

int main(int count, char **words) {
  int rounds = count > 2 ? atoi(words[1]) : 0;
  if (rounds < 1) return 64;
  double *until_prompt = calloc((size_t)rounds, sizeof *until_prompt);
  double *processor = calloc((size_t)rounds, sizeof *processor), *to_prompt = calloc((size_t)rounds, sizeof *to_prompt);
  for (int round = -WARM_UP; round < rounds; round++) {
    struct run run = run_once(words + 2);
    if (round < 0) continue;
    until_prompt[round] = run.until_prompt;
    processor[round] = run.processor;
    to_prompt[round] = run.to_prompt;
  }
  qsort(until_prompt, (size_t)rounds, sizeof *until_prompt, by_size);
  qsort(processor, (size_t)rounds, sizeof *processor, by_size);
  qsort(to_prompt, (size_t)rounds, sizeof *to_prompt, by_size);
  printf("%d rounds: processor until the prompt %.2f ms (least %.2f), until the end %.2f ms; prompt after %.2f ms\n", rounds,
         until_prompt[rounds / 2], until_prompt[0], processor[rounds / 2], to_prompt[rounds / 2]);
  printf("prompt_processor_ms %.2f\n", until_prompt[0]);
  return 0;
}
