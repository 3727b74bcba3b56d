# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""Sees each check fail: a check that has never failed may not be checking anything.

Each row is one broken file in a tree that is otherwise right; the check has to name the file and end with 1.
"""

import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
DOCS = os.path.join(HERE, "..", "..", "Docs")
HEADER = "// SPDX-License-Identifier: GPL-3.0-or-later\n// SPDX-FileCopyrightText: 2026 The Jackdaw authors\n\n"

# A tree that every check accepts, with what is easily taken for a fault.
RIGHT = {
    "Sources/JackdawXML/Element.swift": HEADER + (
        "import CLibXML2\nimport Glibc\n\n/// An element. See print( in a comment, and TextOutputStream.\npackage struct Element {\n"
        "  /// Its name.\n  package let name: String\n  package let more: String\n\n"
        "  package init(name: String, more: String) {\n    self.name = name\n    self.more = more\n  }\n\n"
        "  /// Says `print(1)` and \"import Foundation\" in a string.\n"
        "  package func text() -> String { \"print(1) try! as! import Foundation\" }\n}\n"),
    "Sources/JackdawProtocol/SASL/SCRAMCrypto.swift": HEADER + "import COpenSSL\n",
    "Tests/JackdawXMLTests/ElementTests.swift": HEADER + (
        "/// Not `@Test func f()`.\nstruct ElementTests {\n  @Test(\"An element is built\") func build() {}\n\n"
        "  @Test(\n    \"An element is read\",\n    arguments: [\"@Test func f()\"])\n  func read(_ text: String) {}\n}\n"),
    "Sources/JackdawTransport/Socket.swift": HEADER + (
        "import Glibc\nimport JackdawLoop\n\nfunc sendAll(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) {\n"
        "  _ = Glibc.write(descriptor, bytes.baseAddress, bytes.count)\n}\n"),
    "Sources/JackdawTerminal/Streams/NonblockingOutput.swift": HEADER + (
        "import Glibc\n\nfunc show(_ bytes: [UInt8]) { _ = write(1, bytes, bytes.count) }\n"),
    "Sources/JackdawSession/Conversations/Chat.swift": HEADER + (
        "func tell() {\n  writer.write(1, to: 2, with: 3)\n  session.send(1, 2, 3)\n  self.print()\n}\n"),
    "Sources/JackdawSession/Events/Bus.swift": HEADER + "/// A bus.\nstruct Bus {\n  enum Tracker { case none }\n  var it: Tracker\n}\n",
    "Sources/JackdawSession/Requests/Tracker.swift": HEADER + "/// A tracker, see Ping.\nstruct Tracker { var bus: Bus }\n",
    "Sources/JackdawSession/Features/Ping.swift": HEADER + "/// Asks.\nstruct Ping { var tracker: Tracker }\n",
    "Sources/JackdawSession/Model/Kept.swift": HEADER + (
        "struct Kept {\n  /// Bounded by us.\n  var all: [Int] = []\n  var some: Set<Int> = Set<Int>()\n  var none: [Int] = []\n"
        "  mutating func f() {\n    all.append(1)\n    if some.count < 9 { some.insert(1) }\n    none = []\n  }\n}\n"),
    "Makefile": HEADER.replace("//", "#"),
    "Docs/GUIDE.md": "# Guide\n\n## How to build\n\n[there](OTHER.md#a-b) [here](#how-to-build) [web](https://example.org)\n",
    "Sources/JackdawSession/Features/Pong.swift": HEADER + "// Prosody 0.12 does not answer. See http://prosody.im/protocol/muc.\nstruct Pong {}\n",
    "Docs/SERVERS.md": "[Pong](../Sources/JackdawSession/Features/Pong.swift)\n",
    "Sources/JackdawXML/Right.swift": HEADER + (
        "/// A.\n/// - Parameters:\n///   - b: one.\n///   - d: two.\n/// - Returns: three.\n@Client\nfunc a(\n"
        "  _ b: @escaping (_ c: Int) -> Int = { $0 }, and d: [String: Int] = [:]\n) {}\n\n/// - Parameter e: one.\nvar f: ((_ e: Int) -> Int)?\n"),
    "Docs/OTHER.md": "# Other\n\n## A `b`\n\nSee `SASL/SCRAMCrypto.swift` and `…Limits.swift`.\n",
}

# check, file, content, what it says
BROKEN = [
    ("imports", "Sources/JackdawXML/Bad.swift", HEADER + "import JackdawLoop\n", "JackdawXML may not import JackdawLoop"),
    ("imports", "Sources/JackdawLoop/Bad.swift", HEADER + "package import JackdawXML\n", "may not import JackdawXML"),
    ("imports", "Sources/JackdawTransport/Bad.swift", HEADER + "import JackdawXML\n", "may not import JackdawXML"),
    ("imports", "Sources/JackdawProtocol/Bad.swift", HEADER + "import COpenSSL\n", "may not import COpenSSL"),
    ("imports", "Sources/JackdawProtocol/Bad.swift", HEADER + "@preconcurrency import Glibc\n", "may not import Glibc"),
    ("imports", "Sources/JackdawSession/Bad.swift", HEADER + "import CSQLite\n", "may not import CSQLite"),
    ("imports", "Sources/JackdawCommands/Bad.swift", HEADER + "import CReadline\n", "may not import CReadline"),
    ("imports", "Sources/JackdawCommands/Bad.swift", HEADER + "import JackdawTerminal\n", "may not import JackdawTerminal"),
    ("imports", "Sources/JackdawTerminal/Bad.swift", HEADER + "import struct JackdawXML.Element\n", "may not import JackdawXML"),
    ("imports", "Sources/JackdawStore/Bad.swift", HEADER + "  import Foundation\n", "may not import Foundation"),
    ("imports", "Sources/jackdaw/Bad.swift", HEADER + "import FoundationEssentials\n", "may not import FoundationEssentials"),
    ("imports", "Sources/JackdawNew/Bad.swift", HEADER, "not in the table"),
    ("levels", "Sources/JackdawSession/Model/Bad.swift", HEADER + "struct Bad { var ping: Ping }\n", "may not name Ping of Features"),
    ("levels", "Sources/JackdawSession/Events/Bad.swift", HEADER + "struct Bad { var one: [Tracker] }\n", "in a cycle; here by Tracker"),
    ("levels", "Sources/JackdawSession/Bad.swift", HEADER, "stands in no folder"),
    ("headers", "Sources/JackdawXML/Bad.swift", "struct Bad {}\n", "lacks 'SPDX-License"),
    ("headers", "Tests/bad.sh", "#!/bin/sh\n", "lacks 'SPDX-License"),
    ("headers", "Sources/CX/shim.h", "// SPDX-License-Identifier: GPL-3.0-or-later\n", "lacks 'SPDX-FileCopyrightText"),
    ("headers", ".ci/run", "#!/bin/sh\n", "lacks 'SPDX-License"),
    ("documentation", "Sources/JackdawXML/Bad.swift", HEADER + "package struct Bad {}\n", "struct Bad lacks"),
    ("documentation", "Sources/JackdawXML/Bad.swift", HEADER + "/// A.\npackage struct A {\n  package func b() {}\n}\n", "func b lacks"),
    ("documentation", "Sources/JackdawXML/Bad.swift", HEADER + "/// A.\nstruct A {\n  package static let b = 1\n}\n", "let b lacks"),
    ("documentation", "Sources/JackdawXML/Bad.swift", HEADER + "@Client\npackage final class Bad {}\n", "class Bad lacks"),
    ("documentation", "Sources/JackdawXML/Bad.swift",
     HEADER + "/// A.\nstruct A {\n  package init(a: Int) {\n    self.a = a + 1\n  }\n}\n", "init a lacks"),
    ("documentation", "Sources/JackdawXML/Bad.swift",
     HEADER + "/// A.\n/// - Parameter b: one.\nfunc a(b c: Int) {}\n", "no parameter b"),
    ("documentation", "Sources/JackdawXML/Bad.swift",
     HEADER + "/// A.\n/// - Parameters:\n///   - b: one.\n///   - c: two.\n/// - Returns: three.\n@Client func a(\n  b: (_ c: Int) -> Int\n) {}\n",
     "no parameter c"),
    ("documentation", "Docs/BAD.md", "[x](NOWHERE.md)\n", "leads nowhere"),
    ("documentation", "Docs/BAD.md", "[x](OTHER.md#c)\n", "no heading for #c"),
    ("documentation", "Docs/BAD.md", "See `Nowhere.swift`.\n", "there is no Nowhere.swift"),
    ("documentation", "Docs/BAD.md", "See `Crypto.swift`.\n", "there is no Crypto.swift"),
    ("documentation", "Sources/JackdawXML/Bad.swift", HEADER + "// As ejabberd does.\n", "names a server"),
    ("documentation", "Docs/SERVERS.md", "[a](../Sources/JackdawXML/Element.swift)\n", "Element.swift names no server"),
    ("output", "Sources/JackdawSession/Bad.swift", HEADER + "func f() { print(1) }\n", "print() may not"),
    ("output", "Sources/JackdawCommands/Bad.swift", HEADER + "func f() { Swift.print(1) }\n", "print() may not"),
    ("output", "Sources/JackdawTerminal/Bad.swift", HEADER + "func f() { fputs(\"x\", stream) }\n", "fputs() may not"),
    ("output", "Sources/JackdawTerminal/Bad.swift", HEADER + "func f() { _ = write(1, p, 3) }\n", "write() may not"),
    ("output", "Sources/JackdawSession/Bad.swift", HEADER + "func f() { Glibc.write(1, p, 3) }\n", "write() may not"),
    ("output", "Sources/JackdawStore/Bad.swift", HEADER + "let out = stderr\n", "stderr may not"),
    ("output", "Sources/jackdaw/Bad.swift", HEADER + "func f() { system(\"ls\") }\n", "system() may not"),
    ("output", "Sources/CX/shim.h", HEADER + "static inline void f(void) { printf(\"x\"); }\n", "printf() may not"),
    ("bounds", "Sources/JackdawSession/Model/Bad.swift",
     HEADER + "struct Bad {\n  private var all: [Int] = []\n  mutating func f() { all.append(1) }\n}\n", "what bounds 'all'"),
    ("bounds", "Sources/JackdawXML/Bad.swift",
     HEADER + "struct Bad {\n  var all: [Int: Int] = [:]\n  mutating func f() { all[1] = 2 }\n}\n", "what bounds 'all'"),
    ("style", "Sources/JackdawXML/Long.swift", HEADER + "// line\n" * 400, "403 lines"),
    ("style", "Sources/JackdawXML/Utils.swift", HEADER, "does not say what is in it"),
    ("style", "Sources/JackdawXML/Bad.swift", HEADER + "// TO" + "DO later\n", "left for later"),
    ("style", "Tests/JackdawXMLTests/Bad.swift", HEADER + "// FIX" + "ME\n", "left for later"),
    ("style", "Sources/JackdawXML/Bad.swift", HEADER + "let a = try! f()\n", "try! traps"),
    ("style", "Sources/JackdawXML/Bad.swift", HEADER + "let a = b as! C\n", "as! traps"),
    ("style", "Sources/JackdawXML/Bad.swift", HEADER + "final class A: @unchecked Sendable {}\n", "@unchecked Sendable"),
    ("style", "Sources/JackdawXML/Bad.swift", HEADER + "let a = Mutex(0)\n", "locks are for"),
    ("style", "Sources/JackdawXML/Bad.swift", HEADER + "func f() { Task.detached {} }\n", "Task.detached"),
    ("style", "Sources/JackdawXML/Bad.swift", HEADER + "func f() { fatalError(\"x\") }\n", "fatalError"),
    ("style", "Sources/JackdawXML/Bad.swift", HEADER + 'let a = "\\(b) is no text"\n', "say 'is not a …'"),
    ("style", "Sources/JackdawXML/Bad.swift", HEADER + 'let a = FeatureError(.refused, "the server refuses.")\n', "begins with a capital"),
    ("style", "Sources/JackdawXML/Bad.swift", HEADER + 'let a = FeatureError(.refused,\n  "\\(b(c)) refuses", d: e)\n', "ends with a full stop"),
    ("style", "Sources/JackdawXML/Bad.swift", HEADER + 'let a = "--b and --c exclude each other"\n', "say what may be used instead"),
    ("style", "Tests/JackdawXMLTests/Bad.swift", HEADER + "struct A {\n  @Test func isBuilt() {}\n}\n", "named by a sentence"),
    ("style", "Tests/JackdawXMLTests/Bad.swift",
     HEADER + "struct A {\n  @Test(arguments: [\"a\"]) func f(_ a: String) {}\n}\n", "named by a sentence"),
    ("format", "Sources/JackdawXML/Bad.swift", HEADER + "struct  Bad{ var a=1 }\n", "error"),
    ("format", "Tests/JackdawXMLTests/Bad.swift", HEADER + "let a = f()!\n", "NeverForceUnwrap"),
]


def run(check, base):
    if check == "format":
        command = ["swift", "format", "lint", "--strict", "-r", "Sources"]
        if os.path.isdir(os.path.join(base, "Tests")):
            command.append("Tests")
        with open(os.path.join(HERE, "..", "..", ".swift-format"), encoding="utf-8") as source:
            write(base, ".swift-format", source.read())
        result = subprocess.run(command, cwd=base, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    else:
        command = [sys.executable, "-B", os.path.join(HERE, check + ".py"), base]
        result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return result.returncode, result.stdout + result.stderr


def write(base, path, content):
    full = os.path.join(base, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    with open(full, "w", encoding="utf-8") as file:
        file.write(content)


# A test with a table of cases, as it is named in the log.
JUDGED = '"A certificate is accepted only if it is valid, trusted and for the domain"'

# What is broken in the page of promises, a test that it names or the log of the tests -> what is said. Nothing is broken in the first.
PROMISES = [
    ("log", lambda text: text, None),
    ("page", lambda text: text, None),
    ("page", lambda text: text.replace("Jackdaw refuses", "Jackdaw likes", 1), "its table is not what the rows give"),
    ("page", lambda text: text.replace("begin -->", "-->"), "its two marks are not there"),
    ("test", lambda text: text.replace("@Test(\"Polite close", "@Test(\"Rude close"), "there is no test 'Polite close: answered'"),
    ("test", lambda text: text.replace("@Test(\"Polite close", "// (\"Polite close"), "there is no test 'Polite close: answered'"),
    ("log", lambda text: text.replace("\"Polite close: answered\" passed", "\"Polite close: answered\" failed"), "failed in the log"),
    ("log", lambda text: text.replace("\"Polite close: answered\" passed", "\"Another\" passed"), "is not in the log"),
    ("log", lambda text: text.replace(f"{JUDGED} with 42 test cases passed", f"{JUDGED} started"), "is not in the log"),
    ("log", lambda text: text.replace("\"A walk without progress stops\" passed", "\"A walk without progress stops\" failed"),
     "'A walk without progress stops' failed in the log"),
]


def log_of(tests):
    """What `make test` writes where these passed, each as one of the ways in which it does."""
    lines = []
    for name in tests:
        said = f'"{name}"' + (" with 42 test cases" if f'"{name}"' == JUDGED else "")
        lines += [f"modules: \u25c7 Test {said} started.", f"modules: \u2714 Test {said} passed after 0.1 seconds."]
    return "\n".join(lines)


def promises():
    """What Docs/security.py takes for right, or does not see."""
    failures = []
    sys.path.insert(0, DOCS)
    import security
    with open(os.path.join(DOCS, "SECURITY.md"), encoding="utf-8") as file:
        page = file.read()
    tree = security.tree_tests(os.path.dirname(os.path.abspath(DOCS)))
    log = log_of([name for names in tree.values() for name in names])
    stale = page.replace("Jackdaw refuses", "Jackdaw likes", 1)
    for place, broken, complaint in PROMISES:
        with tempfile.TemporaryDirectory() as base:
            for folder in sorted({file.split("/")[0] for file, _ in security.named()}):
                shutil.copytree(os.path.join(HERE, "..", folder), os.path.join(base, "Tests", folder))
            write(base, "Docs/SECURITY.md", stale if place == "log" else broken(page) if place == "page" else page)
            write(base, "tests.log", broken(log) if place == "log" else log)
            test = "Tests/JackdawProtocolTests/Stream/EndingTests.swift"
            with open(os.path.join(base, test), encoding="utf-8") as file:
                text = file.read()
            write(base, test, broken(text) if place == "test" else text)
            asked = os.path.join(base, "tests.log") if place == "log" else "--check"
            command = [sys.executable, "-B", os.path.join(DOCS, "security.py"), asked, base]
            result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
            said = result.stdout + result.stderr
            with open(os.path.join(base, "Docs/SECURITY.md"), encoding="utf-8") as file:
                is_written = file.read() == page
            is_wrong = (result.returncode == 0) != (complaint is None) or (complaint or "") not in said
            if is_wrong or (place == "log" and is_written != (complaint is None)):
                failures.append(f"security does not say '{complaint}' of a {place} (status {result.returncode}):\n{said}")
    return failures


def main():
    failures = promises()
    for check in ("imports", "levels", "headers", "documentation", "output", "style"):
        with tempfile.TemporaryDirectory() as base:
            for path, content in RIGHT.items():
                write(base, path, content)
            status, said = run(check, base)
            if status != 0:
                failures.append(f"{check} complains about a tree that is right:\n{said}")
    for check, path, content, complaint in BROKEN:
        with tempfile.TemporaryDirectory() as base:
            if check != "format":
                for name, text in RIGHT.items():
                    write(base, name, text)
            else:
                os.makedirs(os.path.join(base, "Sources"))
            write(base, path, content)
            status, said = run(check, base)
            if status == 0 or complaint not in said or os.path.basename(path) not in said:
                failures.append(f"{check} does not say '{complaint}' of {path} (status {status}):\n{content}\n{said}")
    for failure in failures:
        print(failure)
    print(f"selftest: {len(BROKEN) + sum(complaint is not None for _, _, complaint in PROMISES)} faults, " + (f"{len(failures)} not seen" if failures else "each seen"))
    sys.exit(1 if failures else 0)


main()
