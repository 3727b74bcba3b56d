#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""Runs all parts of the tests, whichever fail, and sums up at the end; `make test` calls it.

Some run side by side: whenever one ends, the next begins. Everything that they print is passed on as it comes, with the part's
name before it, and kept in .build/tests.log. The last line is `N passed, N failed`.
"""

import collections
import contextlib
import os
import re
import signal
import subprocess
import sys
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# These start servers and programs, or look at the loop that all tests share: in their process they run one after the other, so
# that no other test's work is in the queue.
PROGRAMS = r"^ProgramTests\."
SERVERS = r"^(IntegrationTests|JackdawLoopTests)\."
# These wait for most of their time, each with accounts of its own. They limit themselves how many run at a time.
FLOWS = (
    r"^ProgramTests\.(FriendFlow|FaultyLine|IRCProgram|OtherClientsProgram|RoomFaultsProgram|PoisonStanza"
    r"|UndecidedPasswordProgram)Tests")
# The other suites of programs, in parts that take about as long: those that take longest, by name, each with programs and accounts of
# its own, and all others by the first letter of their names.
LONG = [
    "ArchiveProgram|Leftover|LockedStore|LongArchive|BotMemory|Accounts|RoomCommands",
    "UnreadProgram|HeldProgram|SlowServer",
    "RequestFlood|DamagedStore|ZeroWindow|DisplayedSync",
    "Cluster|ShellCompletion|BlockedOutput|ResumptionProgram",
    "RecipePage|FirstConversation",
]
LETTERS = ["[A-C]", "[D-H]", "[I-P]", "[Q-Z]"]
# These wait for name servers and sockets in real time; among other tests they would also wait for those, on a busy machine for longer
# than the kernel tries to connect.
SOCKETS = r"^JackdawTransportTests\."
# Exit tests. While one runs, Swift Testing spins for as long as any other child of its process has ended and is not reaped.
ENDING = r"^JackdawXMLTests\.DecoderMemoryTests"

# Where `make check-build` puts the tests, and the program as it is built with them.
BUILT = ".build/tests/release"

# Those that this run may use.
PROCESSORS = sorted(os.sched_getaffinity(0))

# The program that is tested.
PROGRAM = os.path.abspath(os.environ.get("JACKDAW_BINARY", os.path.join(ROOT, BUILT, "jackdaw")))

# `swift test` would wait for the other one to end: two of them never run in one build directory.
SWIFT_TEST = [f"{BUILT}/jackdawPackageTests.xctest", "--testing-library", "swift-testing"]
# Else all tests begin at once, each with its values: twice the memory.
WIDTH = ["--experimental-maximum-parallelization-width", str(len(PROCESSORS))]
# Swift Testing takes a backtrace of each error at its throw, for a list of addresses that it hands to development environments; what it
# prints names the test and the error alike without. Thousands of errors are thrown in tests of hostile input, and walking the stack
# is dearer than most of what throws. Whoever wants the addresses sets it to 1.
ENVIRONMENT = {"SWT_SWIFT_ERROR_BACKTRACING_ENABLED": "0"}


# By its priority it takes a third of what another program gets of the same processor, and all where nobody else wants it.
FILLING = ["nice", "-n", "5"]


class Part:
    def __init__(self, name, command, is_swift_test=True, after=None, on_one=False, fills=False):
        self.name = name
        # It waits for nobody: at a lower priority it mostly has what those that wait leave of the processors.
        self.command = FILLING + command if fills else command
        # It is kept on one processor, with the servers and programs that it starts: they wait for each other all the time, and on a
        # virtual machine to wake somebody on another processor costs more than most of what is then done. For what keeps no two busy.
        self.on_one = on_one
        # Its tests are counted one by one; any other part counts as one test.
        self.is_swift_test = is_swift_test
        # The part that must have passed before this one is run, where it is one of those that run side by side.
        self.after = after


# What nothing else can run without.
FIRST = [Part("build", ["make", "check-build"], is_swift_test=False)]
# What makes the program, where it is not built with the tests. An optimised build keeps one processor busy for most of its time:
# what needs no program runs beside it.
BUILD_PROGRAM = os.environ.get("JACKDAW_BUILD")
PROGRAM_BUILDS = [Part("program", ["make", BUILD_PROGRAM], is_swift_test=False)] if BUILD_PROGRAM else []
# They wait for servers for much of their time: nine are run at a time, one of which fills what the others leave, so that both processors
# of a small machine are busy. With a third more a server that shares its processor with five others may need longer for a flood
# than a program waits. Of those that may begin the first is taken; the longest stand first, so that all end at about the same time.
AT_A_TIME = 9
PARTS = PROGRAM_BUILDS + [
    Part("modules", SWIFT_TEST + WIDTH + ["--skip", PROGRAMS, "--skip", SERVERS, "--skip", SOCKETS, "--skip", ENDING], fills=True),
    Part("soak", ["Tests/Soak/soak.sh", PROGRAM, "small"], is_swift_test=False, after="program", on_one=True),
    Part("flows", SWIFT_TEST + ["--filter", FLOWS], after="program", on_one=True),
] + [
    Part(
        f"long-{number}", SWIFT_TEST + ["--no-parallel", "--filter", rf"^ProgramTests\.({names})", "--skip", FLOWS], after="program",
        on_one=True)
    for number, names in enumerate(LONG, 1)
] + [
    Part(
        f"programs-{letters}", SWIFT_TEST + [
            "--no-parallel", "--filter", rf"^ProgramTests\.{letters}", "--skip", rf"{FLOWS}|^ProgramTests\.({'|'.join(LONG)})"],
        after="program", on_one=True)
    for letters in LETTERS
] + [
    Part("servers", SWIFT_TEST + ["--no-parallel", "--filter", SERVERS], on_one=True),
    Part("sockets", SWIFT_TEST + ["--no-parallel", "--filter", f"{SOCKETS}|{ENDING}"], on_one=True),
]

# Swift Testing: `✔ Test "a name" with 3 test cases passed after 0.1 seconds.`; `✘ Test name() failed after 0.1 seconds with 1 issue.`
TEST_ENDED = re.compile(r"^\S+ Test (.+) (passed|failed) after [\d.]+ seconds.*\.$")
TEST_SKIPPED = re.compile(r"^\S+ Test .+ skipped(\.|: )")
# An argument with a NUL in it ends the line there, without an end: what comes next is printed behind it.
CUT = re.compile(r"^◇ Test case passing .*(?=[◇✔✘➜] (Test|Suite) )")
# Swift Testing colours what goes into a pipe too.
COLOUR = re.compile(rb"\x1b\[[0-9;]*m")
# What begins Swift Testing's lines, other than those that explain what failed.
NEXT = ("◇", "✔", "✘", "➜")
# Of a part that counts as one test: so many of its last lines are shown where it fails.
LAST_LINES = 20
WHOLE_RUN = re.compile(r"^\S+ Test run with \d+ tests? ")


class Outcome:
    """What one part printed and how it ended."""

    def __init__(self, part):
        self.part = part
        self.passed = 0
        self.failed = 0
        self.skipped = 0
        # The lines that say what failed, each with what explains it.
        self.complaints = []
        self.in_complaint = False
        self.last_lines = collections.deque(maxlen=LAST_LINES)

    def take(self, line):
        """One line of the output."""
        self.last_lines.append(line)
        line = CUT.sub("", line)
        if not self.part.is_swift_test or WHOLE_RUN.match(line):
            self.in_complaint = False
            return
        # What explains it may have several lines, such as a screen, which is all that is known of a failure on another machine.
        self.in_complaint = line.startswith("✘ Test ") or (self.in_complaint and not line.startswith(NEXT))
        if self.in_complaint and line:
            self.complaints.append(line)
        ended = TEST_ENDED.match(line)
        if ended:
            if ended.group(2) == "passed":
                self.passed += 1
            else:
                self.failed += 1
        elif TEST_SKIPPED.match(line):
            self.skipped += 1

    def end(self, status):
        """The exit status; negative for a signal."""
        if not self.part.is_swift_test:
            self.passed += status == 0
        elif status == 0 and self.passed + self.failed + self.skipped == 0:
            self.complain("no test was run")
        if status != 0 and self.failed == 0:
            how = f"ended with status {status}" if status > 0 else f"was ended by {signal.Signals(-status).name}"
            self.complain(f"'{' '.join(self.part.command)}' {how}")
            if not self.part.is_swift_test:
                self.complaints += self.last_lines

    def complain(self, what):
        self.failed += 1
        self.complaints.append(what)


class Passing:
    """Where all lanes' lines go, one after the other."""

    def __init__(self, out, log):
        self.sinks = (out, log)
        self.turn = threading.Lock()

    def write(self, line):
        with self.turn:
            for sink in self.sinks:
                sink.write(line)
                sink.flush()


class Processors:
    """Which processor is to have the next part that is kept on one: the one that has the fewest of them."""

    def __init__(self, numbers):
        self.parts = {number: 0 for number in numbers}
        self.turn = threading.Lock()

    @contextlib.contextmanager
    def for_part(self, part):
        """What this thread starts meanwhile is where the part is to be."""
        if not part.on_one:
            os.sched_setaffinity(0, self.parts)
            yield
            return
        with self.turn:
            number = min(self.parts, key=self.parts.get)
            self.parts[number] += 1
        try:
            os.sched_setaffinity(0, {number})
            yield
        finally:
            with self.turn:
                self.parts[number] -= 1


def run(part, passing, prefix=b""):
    """Runs one part, its output going where all goes as it comes."""
    outcome = Outcome(part)
    try:
        process = subprocess.Popen(
            part.command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={**ENVIRONMENT, **os.environ, "JACKDAW_BINARY": PROGRAM})
    except OSError as error:
        outcome.complain(f"'{' '.join(part.command)}': {error.strerror}")
        return outcome
    for line in process.stdout:
        line = COLOUR.sub(b"", line)
        passing.write(prefix + line)
        outcome.take(line.decode("utf-8", errors="replace").rstrip("\n"))
    outcome.end(process.wait())
    return outcome


class Queue:
    """The parts that wait for a lane."""

    def __init__(self, parts):
        self.waiting = list(parts)
        self.changed = threading.Condition()
        # What others wait for, by name: parts that wait or run. A name that is none of these holds nobody up.
        self.unfinished = {part.name for part in parts}
        self.failed = set()
        self.not_run = []

    def next(self):
        """The first part that may begin, or None when there will be none; waits where only time can tell."""
        with self.changed:
            while True:
                part = next((part for part in self.waiting if part.after not in self.unfinished), None)
                if part:
                    self.waiting.remove(part)
                    if part.after not in self.failed:
                        return part
                    self.not_run.append(part)
                    self.finish(part, passed=False)
                elif self.waiting:
                    self.changed.wait()
                else:
                    return None

    def end(self, part, passed):
        """A part that was taken has come to its end."""
        with self.changed:
            self.finish(part, passed)

    def finish(self, part, passed):
        self.unfinished.discard(part.name)
        if not passed:
            self.failed.add(part.name)
        self.changed.notify_all()


def run_all(first, parts, at_a_time, passing):
    """Runs the first parts alone, one after the other, and then the others. Returns the outcomes, and the parts that could not be run."""
    outcomes = []
    processors = Processors(PROCESSORS)

    def run_one(part, prefix=b""):
        passing.write(f"== {part.name}\n".encode())
        with processors.for_part(part):
            outcome = run(part, passing, prefix)
        outcomes.append(outcome)
        return outcome

    for part in first:
        run_one(part)
    if any(outcome.failed for outcome in outcomes):
        return outcomes, parts
    queue = Queue(parts)

    def run_some():
        while (part := queue.next()) is not None:
            passed = False
            try:
                passed = not run_one(part, f"{part.name}: ".encode() if at_a_time > 1 else b"").failed
            finally:
                # Also where nobody takes the output any more: what waits for it would wait for ever.
                queue.end(part, passed)

    threads = [threading.Thread(target=run_some, daemon=True) for _ in range(at_a_time)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(outcomes, key=lambda outcome: (first + parts).index(outcome.part)), queue.not_run


def summary(outcomes, not_run):
    """What is read at the end, as lines."""
    lines = [""]
    for outcome in outcomes:
        if outcome.failed:
            lines.append(f"Failed: {outcome.part.name}")
            lines += [f"  {complaint}" for complaint in outcome.complaints]
    lines += [f"Not run: {part.name}" for part in not_run]
    skipped = sum(outcome.skipped for outcome in outcomes)
    if skipped:
        lines.append(f"{skipped} skipped")
    passed, failed = sum(outcome.passed for outcome in outcomes), sum(outcome.failed for outcome in outcomes)
    lines.append(f"{passed} passed, {failed} failed")
    return lines


def main(first, parts, at_a_time, out, log):
    """Runs the parts and prints the summary. Returns the exit status."""
    outcomes, not_run = run_all(first, parts, at_a_time, Passing(out, log))
    out.write("\n".join(summary(outcomes, not_run) + [""]).encode())
    out.flush()
    return 1 if not_run or any(outcome.failed for outcome in outcomes) else 0


if __name__ == "__main__":
    os.makedirs(os.path.join(ROOT, ".build"), exist_ok=True)
    with open(os.path.join(ROOT, ".build", "tests.log"), "wb") as file:
        try:
            sys.exit(main(FIRST, PARTS, AT_A_TIME, sys.stdout.buffer, file))
        except KeyboardInterrupt:
            sys.exit(130)
