# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""Sees parts.py run every part whichever fail, count what Swift Testing prints, and end as it should."""

import io
import os
import sys
import tempfile

from parts import PROCESSORS, Part, main

PASSES = '✔ Test "it failed after 2 seconds" with 3 test cases passed after 0.1 seconds.\n✔ Suite "A" passed after 0.1 seconds.\n'
FAILS = (
    "✘ Test name() recorded an issue at A.swift:1:2: Expectation failed: a == b\n↳ why\n"
    "✘ Test name() failed after 0.1 seconds with 1 issue.\n✘ Suite A failed after 0.1 seconds with 1 issue.\n")
RUN_PASSED = "✔ Test run with 1 test in 1 suite passed after 0.1 seconds.\n"
RUN_FAILED = "✘ Test run with 1 test in 1 suite failed after 0.1 seconds with 1 issue.\n"


def swift(text, status=0, **more):
    return Part(f"swift {status}", ["sh", "-c", 'printf "%s" "$1"; exit "$2"', "sh", text, str(status)], **more)


def other(script, **more):
    return Part("other", ["sh", "-c", script], is_swift_test=False, **more)


# One end of it waits for the other.
directory = tempfile.TemporaryDirectory()
FIFO = os.path.join(directory.name, "fifo")
os.mkfifo(FIFO)

# what, the part that comes first, the others, how many at a time, exit status, the end of what is printed
CASES = [
    ("all is well", [], [swift(PASSES + RUN_PASSED), other("exit 0")], 1, 0, "\n2 passed, 0 failed\n"),
    ("a part that fails does not keep the others from running",
     [], [swift(FAILS + PASSES + RUN_FAILED, 1), other("seq 30; exit 3"), swift(PASSES + RUN_PASSED)], 1, 1,
     "\nFailed: swift 1\n  ✘ Test name() recorded an issue at A.swift:1:2: Expectation failed: a == b\n  ↳ why\n"
     "  ✘ Test name() failed after 0.1 seconds with 1 issue.\nFailed: other\n  'sh -c seq 30; exit 3' ended with status 3\n"
     + "".join(f"  {number}\n" for number in range(11, 31)) +
     "2 passed, 2 failed\n"),
    ("a failure in colours is one too",
     [], [swift("\033[91m✘\033[0m Test name() failed after 0.1 seconds with 1 issue.\n", 1)], 1, 1,
     "\nFailed: swift 1\n  ✘ Test name() failed after 0.1 seconds with 1 issue.\n0 passed, 1 failed\n"),
    ("what explains a failure is told whole, a screen's lines too",
     [], [swift("✘ Test a() recorded an issue: a screen with 'b'\n--- screen\n b\n\n---\n◇ Test c() started.\nd\n"
                 "✘ Test a() failed after 0.1 seconds with 1 issue.\n" + RUN_FAILED, 1)], 1, 1,
     "\nFailed: swift 1\n  ✘ Test a() recorded an issue: a screen with 'b'\n  --- screen\n   b\n  ---\n"
     "  ✘ Test a() failed after 0.1 seconds with 1 issue.\n0 passed, 1 failed\n"),
    ("a line that an argument cut is told from what stands behind it",
     [], [swift('◇ Test case passing 1 argument text → "a✔ Suite "A" passed after 0.1 seconds.\n'
                '◇ Test case passing 2 arguments text → "✘ Test b() failed after 0.1 seconds with 1 issue.\n' + PASSES, 1)], 1, 1,
     "\nFailed: swift 1\n  ✘ Test b() failed after 0.1 seconds with 1 issue.\n1 passed, 1 failed\n"),
    ("a crash counts as a failure though no test says that it failed",
     [], [swift(PASSES, 1), other("kill -SEGV $$")], 1, 1, "'sh -c kill -SEGV $$' was ended by SIGSEGV\n1 passed, 2 failed\n"),
    ("a part that cannot be started is a failure, and the next one is run",
     [], [Part("gone", ["/nonexistent"]), swift(PASSES)], 1, 1,
     "Failed: gone\n  '/nonexistent': No such file or directory\n1 passed, 1 failed\n"),
    ("a filter that matches no test is a failure", [], [swift("")], 1, 1, "no test was run\n0 passed, 1 failed\n"),
    ("a test that is skipped is neither", [], [swift("➜ Test name() skipped.\n➜ Test b() skipped: \"why\"\n" + PASSES)], 1, 0,
     "\n2 skipped\n1 passed, 0 failed\n"),
    ("without what is needed nothing else is run", [other("exit 1")], [swift(PASSES)], 1, 1,
     "Not run: swift 0\n0 passed, 1 failed\n"),
    ("bytes that are no UTF-8 do not end the run", [], [swift(PASSES), other(r"printf '\377\n'")], 1, 0, "2 passed, 0 failed\n"),
    ("some run side by side, and all count",
     [], [other(f"read word <{FIFO}; exit 3"), other(f"echo word >{FIFO}"), swift(PASSES)], 2, 1,
     "ended with status 3\n2 passed, 1 failed\n"),
    ("one that needs another is begun when that has passed, and what needs nothing goes first",
     [], [other(f"cat {FIFO}.made", after="maker"), Part("maker", ["sh", "-c", f"read word <{FIFO}; echo made >{FIFO}.made"], False),
          other(f"test ! -e {FIFO}.made && echo word >{FIFO}")], 2, 0, "3 passed, 0 failed\n"),
    ("and not at all when that has failed, nor what needs it in its turn",
     [], [other("exit 0", after="third"), Part("third", ["true"], after="maker"), Part("maker", ["false"], False), swift(PASSES)], 2, 1,
     "Not run: third\nNot run: other\n1 passed, 1 failed\n"),
    ("those that are kept on one processor are, and others have all of them, also behind those",
     [], [other('test "$(nproc)" = 1', on_one=True), other(f'test "$(nproc)" = {len(PROCESSORS)}'),
          other('test "$(nproc)" = 1', on_one=True)], 1, 0, "3 passed, 0 failed\n"),
    ("and two of them side by side have not the same one, where there are more",
     [], [other(f"taskset -c -p $$ >{FIFO}", on_one=True), other(f'taskset -c -p $$ >{FIFO}.other; read word <{FIFO}; '
          f'test "${{word##* }}" != "$(sed "s/.* //" {FIFO}.other)" -o {len(PROCESSORS)} = 1', on_one=True)], 2, 0, "2 passed, 0 failed\n"),
    ("what fills what others leave of the processors is behind them",
     [], [other(f'test "$(nice)" = {min(os.nice(0) + 5, 19)}', fills=True), other(f'test "$(nice)" = {os.nice(0)}')], 1, 0, "2 passed, 0 failed\n"),
    ("no part takes a backtrace of each error that its tests throw",
     [], [other('test "$SWT_SWIFT_ERROR_BACKTRACING_ENABLED" = 0')], 1, 0, "1 passed, 0 failed\n"),
    ("nobody waits for a part that is not among them", [], [other("exit 0", after="maker")], 1, 0, "1 passed, 0 failed\n"),
]

wrong = 0
for what, first, parts, at_a_time, status, ending in CASES:
    out, log = io.BytesIO(), io.BytesIO()
    found = main(first, parts, at_a_time, out, log)
    printed = out.getvalue().decode("utf-8", errors="replace")
    if found != status or not printed.endswith(ending):
        wrong += 1
        print(f"{what}: ended with {found}, printed:\n{printed}")
    if log.getvalue() and log.getvalue() not in out.getvalue():
        wrong += 1
        print(f"{what}: what the parts print is not passed on")
if wrong:
    sys.exit(1)
print("test runner: right")
