// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Synchronization

/// The servers that the tests of this process share.
enum SharedServers {
  private struct Key: Hashable {
    let kind: TestServer.Kind
    let options: TestServer.Options
  }

  private static let servers = Mutex<[Key: Task<TestServer, any Error>]>([:])
  private static let scripts = Mutex<[pid_t]>([])

  static func server(_ kind: TestServer.Kind, _ options: TestServer.Options) async throws -> TestServer {
    let task = servers.withLock { servers in
      let key = Key(kind: kind, options: options)
      if let task = servers[key] { return task }
      let task = Task {
        let server = try await TestServer(kind, options)
        endAtExit(server.process.id)
        return server
      }
      servers[key] = task
      return task
    }
    return try await task.value
  }

  /// Remembers the script of a server, so that the tests do not seem over before it has cleaned up. Nobody else may reap
  /// it, else its id might be another process's by then.
  private static func endAtExit(_ script: pid_t) {
    let isFirst = scripts.withLock { scripts in
      scripts.append(script)
      return scripts.count == 1
    }
    guard isFirst else { return }
    atexit {
      let scripts = SharedServers.scripts.withLock { $0 }
      for script in scripts { kill(script, SIGTERM) }
      // Each ends, as it kills its server: what is left of it would be taken for something that the tests left running.
      for script in scripts {
        while waitpid(script, nil, 0) < 0, errno == EINTR {}
      }
    }
  }
}

/// Runs what it is given one after the other.
final class AskQueue: Sendable {
  private let last = Mutex<Task<Void, Never>?>(nil)

  func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
    let task = last.withLock { last in
      let previous = last
      let task = Task {
        await previous?.value
        try await body()
      }
      last = Task { _ = await task.result }
      return task
    }
    try await task.value
  }
}
