// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// What becomes of what an agent said before it was killed, and was read after that.
@Suite("What an agent said before it was killed")
struct AgentDeathProgramTests {
  /// Says that the command is begun, and then, while whoever asked is stopped, what the arguments have, and is gone.
  private static let agent = #"""
    import json, os, signal, socket, struct, sys, time
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(sys.argv[1])
    listener.listen(1)
    print("there", flush=True)
    client, _ = listener.accept()
    process = struct.unpack("3i", client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]
    lines = client.makefile()
    lines.readline()
    def say(**message): client.sendall((json.dumps({"jsonrpc": "2.0", **message}) + "\n").encode())
    def output(text): say(method="output", params={"run": 1, "stream": "stdout", "text": text})
    say(method="started", params={"run": 1, "timeout": 30000, "pager": False})
    def presents(bytes, number):
        say(method="presents", params={"run": 1, "bytes": bytes, "account": "alice@example.org", "reader": "screen", "number": number})
    presents(6, 7)
    presents(12, 8)
    presents(19, 9)
    output("first\nbeg")
    while (line := lines.readline()) and "written" not in line: pass
    os.kill(process, signal.SIGSTOP)
    while open(f"/proc/{process}/stat").read().rsplit(")", 1)[1].split()[0] != "T": time.sleep(0.01)
    output("un\nsecond\n")
    if sys.argv[2] == "ended": say(id=1, result={"code": 0})
    lines.close()
    client.close()
    os.kill(process, signal.SIGCONT)
    """#

  /// What the reader of the screen has been presented, as the log has it.
  private static let cursor = """
    import pathlib, sqlite3, sys
    [path] = pathlib.Path(sys.argv[1]).rglob("*.sqlite3")
    print(sqlite3.connect(path).execute("SELECT seq FROM cursor WHERE consumer = 'screen'").fetchone()[0])
    """

  /// A `listen` that was stopped meanwhile printed it all, and the next one once more.
  @Test(
    "it is left out, but for the rest of a line, as nobody can be told that it was printed; where the command has ended it is due",
    arguments: [("killed", 75, "first\nbegun\n"), ("ended", 0, "first\nbegun\nsecond\n")])
  func lastWords(_ end: String, _ code: Int, _ printed: String) async throws {
    try await TestDirectory.with { home in
      let runtime = home.path + "/runtime"
      for folder in [runtime, runtime + "/jackdaw"] { #expect(mkdir(folder, 0o700) == 0) }
      let socket = runtime + "/jackdaw/alice@example.org"
      try await TestProcess.withProcess(.init(SourceTree.python, ["-c", Self.agent, socket, end])) { agent in
        try await agent.expect("there")
        let outcome = try await TestProcess.run(
          .jackdaw(
            ["listen"], in: home,
            environment: [
              "JACKDAW_JID": "alice@example.org", "XDG_RUNTIME_DIR": runtime, TestProcess.Invocation.noAgent: "",
            ]))
        #expect(outcome.ending == .exited(code) && outcome.output == printed, "\(outcome)")
        guard code == 75 else { return }
        // Whoever comes next is not presented again what is out, and is what is not.
        let noted = try await TestProcess.run(.init(SourceTree.python, ["-c", Self.cursor, home.path]))
        #expect(noted.output == "8\n", "\(noted)")
      }
    }
  }
}
