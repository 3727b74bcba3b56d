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
  private static let places = Mutex<[Key: ServerPlace]>([:])
  private static let processes = Mutex<[pid_t]>([])

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

  /// Where the tests of this process that each want a server of that kind for themselves find one, one after the other.
  static func place(_ kind: TestServer.Kind, _ options: TestServer.Options) -> ServerPlace {
    places.withLock { places in
      let key = Key(kind: kind, options: options)
      let place = places[key] ?? ServerPlace(kind, options)
      places[key] = place
      return place
    }
  }

  /// Remembers a process that the tests share, such as the script of a server, so that they do not seem over before it has cleaned up.
  /// Nobody else may reap it, else its id might be another process's by then.
  static func endAtExit(_ process: pid_t) {
    let isFirst = processes.withLock { processes in
      processes.append(process)
      return processes.count == 1
    }
    guard isFirst else { return }
    atexit {
      let processes = SharedServers.processes.withLock { $0 }
      for process in processes { kill(process, SIGTERM) }
      // Each ends, a script as it kills its server: what is left of it would be taken for something that the tests left running.
      for process in processes {
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
      }
    }
  }
}

/// A server that one test has at a time, which leaves it as it likes.
final class ServerPlace: Sendable {
  private enum State {
    case free
    case taken(waiting: [CheckedContinuation<Void, Never>])
  }

  private let kind: TestServer.Kind
  private let options: TestServer.Options
  private let state = Mutex(State.free)
  private let started = Mutex<TestServer?>(nil)

  init(_ kind: TestServer.Kind, _ options: TestServer.Options) { (self.kind, self.options) = (kind, options) }

  /// Returns when it is the caller's, who gives it back.
  func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        switch state {
        case .free:
          state = .taken(waiting: [])
          return true
        case .taken(let waiting):
          state = .taken(waiting: waiting + [continuation])
          return false
        }
      }
      if isFree { continuation.resume() }
    }
  }

  func giveBack() {
    let next: CheckedContinuation<Void, Never>? = state.withLock { state in
      guard case .taken(let waiting) = state, let next = waiting.first else {
        state = .free
        return nil
      }
      state = .taken(waiting: Array(waiting.dropFirst()))
      return next
    }
    next?.resume()
  }

  /// The server, running: for whoever has taken it.
  /// - Throws: ``TestProcessFailure`` with the server's log when it does not start.
  func server() async throws -> TestServer {
    if let server = started.withLock({ $0 }) {
      // One that was stopped cannot be let go on.
      _ = try? await server.thaw()
      try await server.start()
      return server
    }
    let server = try await TestServer(kind, options)
    SharedServers.endAtExit(server.process.id)
    started.withLock { $0 = server }
    return server
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
