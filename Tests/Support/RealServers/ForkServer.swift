// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Synchronization

/// The Python that has slixmpp loaded for all clients of this process that are made with it: Tests/Support/Strangers/forkserver.py. To load it
/// takes five times as long as a client's log-in.
package enum ForkServer {
  private static let name = "jackdaw-forkserver-\(getpid())"
  private static let started = Mutex<Task<Void, any Error>?>(nil)

  /// How a program of Tests/Support/Strangers is run that uses slixmpp.
  /// - Throws: ``TestProcessFailure`` when slixmpp cannot be loaded.
  package static func invocation(
    _ program: String, _ arguments: [String]
  ) async throws -> TestProcess.Invocation {
    let start = started.withLock { started in
      let start = started ?? Task { try await Self.start() }
      started = start
      return start
    }
    try await start.value
    // It needs nothing of what Python looks for at its start.
    let words = ["-ISB", path("forked.py"), name, program]
    return .init(
      SourceTree.python, words + arguments, environment: TestProcess.Invocation.scrubbed, input: .open)
  }

  private static func start() async throws {
    let process = try TestProcess.start(.init(SourceTree.python, ["-B", path("forkserver.py"), name], input: .open))
    do {
      try await process.expect("ready\n")
    } catch {
      await process.stop()
      throw error
    }
    SharedServers.endAtExit(process.id)
  }

  private static func path(_ file: String) -> String { SourceTree.path("Tests/Support/Strangers/" + file) }
}
