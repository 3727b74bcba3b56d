/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors
 *
 * executed ADDRESSES USED PROGRAM [WORD...]: runs a program and appends to the file USED which of the ADDRESSES it came
 * by, each once. Both files have hexadecimal numbers, one a line, as the program's file has them, before it is loaded. Each is
 * a breakpoint until it is reached. Ends as the program did. x86-64 alone. */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static const uint8_t breakpoint = 0xcc;

struct place {
  uint64_t address;
  uint8_t instruction;
  bool was_reached;
};

static struct place *places;
static size_t count;

static _Noreturn void fail(const char *what) {
  perror(what);
  exit(2);
}

static int by_address(const void *left, const void *right) {
  uint64_t one = ((const struct place *)left)->address, other = ((const struct place *)right)->address;
  return (one > other) - (one < other);
}

/* Reads the file: in order, each address once. */
static void read_places(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) fail(path);
  size_t room = 0;
  uint64_t address;
  while (fscanf(file, "%" SCNx64, &address) == 1) {
    if (count == room) {
      room = room ? 2 * room : 4096;
      places = realloc(places, room * sizeof *places);
      if (!places) fail("memory");
    }
    places[count++] = (struct place){.address = address};
  }
  fclose(file);
  qsort(places, count, sizeof *places, by_address);
  size_t kept = 0;
  for (size_t index = 0; index < count; index++) {
    if (kept == 0 || places[kept - 1].address != places[index].address) places[kept++] = places[index];
  }
  count = kept;
}

/* Where the program was loaded: its first mapping is the first of all. */
static uint64_t loaded_at(pid_t process) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/maps", process);
  FILE *file = fopen(path, "r");
  uint64_t start;
  if (!file || fscanf(file, "%" SCNx64, &start) != 1) fail(path);
  fclose(file);
  return start;
}

static int open_memory(pid_t process) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/mem", process);
  int memory = open(path, O_RDWR | O_CLOEXEC);
  if (memory < 0) fail(path);
  return memory;
}

/* Returns true when the thread stopped at one of ours, and has it go on there. */
static bool step_over(pid_t thread, int memory, uint64_t base, FILE *used) {
  struct user_regs_struct registers;
  if (ptrace(PTRACE_GETREGS, thread, NULL, &registers) != 0) return false;
  struct place wanted = {.address = registers.rip - 1 - base};
  struct place *place = bsearch(&wanted, places, count, sizeof *places, by_address);
  if (!place) return false;
  /* Another thread may have been there at the same time. */
  if (!place->was_reached) {
    place->was_reached = true;
    if (pwrite(memory, &place->instruction, 1, (off_t)(base + place->address)) != 1) fail("memory");
    fprintf(used, "%" PRIx64 "\n", place->address);
  }
  registers.rip--;
  ptrace(PTRACE_SETREGS, thread, NULL, &registers);
  return true;
}

int main(int words, char **word) {
  if (words < 4) return 2;
  read_places(word[1]);
  FILE *used = fopen(word[2], "a");
  if (!used) fail(word[2]);
  pid_t program = fork();
  if (program < 0) fail("fork");
  if (program == 0) {
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    execv(word[3], word + 3);
    _exit(127);
  }
  int status;
  if (waitpid(program, &status, 0) != program || !WIFSTOPPED(status)) fail(word[3]);
  uint64_t base = loaded_at(program);
  int memory = open_memory(program);
  for (size_t index = 0; index < count; index++) {
    off_t where = (off_t)(base + places[index].address);
    if (pread(memory, &places[index].instruction, 1, where) != 1 || pwrite(memory, &breakpoint, 1, where) != 1) fail("memory");
  }
  ptrace(PTRACE_SETOPTIONS, program, NULL, PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL);
  ptrace(PTRACE_CONT, program, NULL, 0);
  for (;;) {
    pid_t thread = waitpid(-1, &status, __WALL);
    if (thread < 0) fail("waitpid");
    if (!WIFSTOPPED(status)) {
      if (thread != program) continue;
      fclose(used);
      return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    int signal = WSTOPSIG(status);
    bool is_event = status >> 16 != 0 || signal == SIGSTOP;
    if (is_event || (signal == SIGTRAP && step_over(thread, memory, base, used))) signal = 0;
    ptrace(PTRACE_CONT, thread, NULL, signal);
  }
}
