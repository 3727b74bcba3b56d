// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// Somebody's Jackdaw that stays online: a script whose lines the test types, read as JSON. It may be ended and started anew;
/// what it said is remembered over that.
actor LiveJackdaw {
  nonisolated let person: Person
  private var process: TestProcess?
  private var said = ""
  private var marks = 0

  init(_ person: Person) { self.person = person }

  /// Has two people online, and ends what runs when `body` is done.
  static func with<Result>(
    _ alice: Person, _ bob: Person, _ body: (_ alice: LiveJackdaw, _ bob: LiveJackdaw) async throws -> Result
  ) async throws -> Result {
    let alice = LiveJackdaw(alice)
    let bob = LiveJackdaw(bob)
    let result: Result
    do {
      async let first: Void = alice.start()
      async let second: Void = bob.start()
      _ = try await (first, second)
      result = try await body(alice, bob)
    } catch {
      await alice.kill()
      await bob.kill()
      throw error
    }
    try await alice.end()
    try await bob.end()
    return result
  }

  /// Logs in, unless it is there, and returns when it is online.
  func start() async throws {
    guard process == nil else { return }
    process = try TestProcess.start(person.invocation(["--json", "run", "--keep-going", "-"], input: .open))
    _ = try await types([])
  }

  /// Leaves, as at the end of a script, and returns when it is gone.
  func end() async throws {
    guard let process else { return }
    process.closeInput()
    try await process.wait()
    said += process.standardOutput
    await process.stop()
    self.process = nil
  }

  /// Types a line, with nobody waiting for what comes of it.
  func begins(_ line: String) { process?.send(line + "\n") }

  /// Types lines.
  /// - Returns: what it has said, once the last command is done, since the last time.
  func types(_ lines: String...) async throws -> [String] { try await types(lines) }

  private func types(_ lines: [String]) async throws -> [String] {
    let process = try #require(process, "\(person.jid) is not online")
    marks += 1
    process.send((lines + ["/post x-mark\(marks)"]).map { $0 + "\n" }.joined())
    let output = try await process.expect(#""event":"x-mark\#(marks)""#, within: .seconds(60))
    return output.split(separator: "\n").map(String.init)
  }

  /// All that it said since the first start.
  var all: [String] { (said + (process?.standardOutput ?? "")).split(separator: "\n").map(String.init) }

  private func kill() async {
    await process?.stop()
    process = nil
  }
}

/// Lets a few in at a time: a hundred programs at once would have each wait for all.
actor Gate {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ places: Int) { free = places }

  func inside<Result>(_ body: @Sendable () async throws -> Result) async throws -> Result {
    if free > 0 { free -= 1 } else { await withCheckedContinuation { waiting.append($0) } }
    defer {
      if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
    return try await body()
  }
}

/// The value of a key in a line of JSON, as it stands there, a text without its quotes; nil where there is none.
func value(of key: String, in line: String) -> String? {
  // The standard library's search takes a hundred times as long without optimisation.
  let place = line.withCString { text in
    strstr(text, "\"\(key)\":").map { UnsafePointer($0) - text }
  }
  guard let place else { return nil }
  let rest = line[line.utf8.index(line.utf8.startIndex, offsetBy: place + key.utf8.count + 3)...]
  if rest.hasPrefix("\"") { return String(rest.dropFirst().prefix { $0 != "\"" }) }
  if rest.hasPrefix("[") { return String(rest.prefix { $0 != "]" }) + "]" }
  return String(rest.prefix { $0 != "," && $0 != "}" })
}
