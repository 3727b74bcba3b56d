// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// Somebody's Jackdaw that stays online: a script whose lines the test types, read as JSON. It may be ended and started anew;
/// what it said is remembered over that.
actor LiveJackdaw: FriendFlowSide {
  nonisolated let person: Person
  nonisolated var jid: String { person.jid }
  private var process: TestProcess?
  private var said = ""
  private var marks = 0

  init(_ person: Person) { self.person = person }

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

  /// Types lines.
  /// - Returns: what it has said, once the last command is done, since the last time.
  func types(_ lines: String...) async throws -> [String] { try await types(lines) }

  func types(_ lines: [String]) async throws -> [String] {
    let process = try #require(process, "\(person.jid) is not online")
    marks += 1
    process.send((lines + ["/post x-mark\(marks)"]).map { $0 + "\n" }.joined())
    let output = try await process.expect(#""event":"x-mark\#(marks)""#)
    return output.split(separator: "\n").map(String.init)
  }

  /// Types lines, and waits for nothing.
  func writes(_ lines: [String]) { process?.send(lines.map { $0 + "\n" }.joined()) }

  /// Waits until it has said, since its last start, a line that holds all of these; nil: it did not in all the time there was.
  func line(with parts: [String]) async throws -> String? { try await process?.line(with: parts) }

  /// All that it said since the first start.
  var all: [String] { (said + (process?.standardOutput ?? "")).split(separator: "\n").map(String.init) }

  /// How many lines that hold this it has said since the first start.
  func count(_ part: String) -> Int { all.count { $0.contains(part) } }

  func kill() async {
    await process?.stop()
    process = nil
  }

  // MARK: Friends

  func begins(_ step: String) { process?.send("/friends \(step)\n") }

  func takes(_ step: String) async throws -> [String]? {
    try await types("/friends " + step).compactMap { line in
      switch value(of: "event", in: line) {
      case "result": value(of: "outcome", in: line)
      case "error": value(of: "code", in: line)
      default: nil
      }
    }
  }

  func entry(of jid: String) async throws -> String {
    // A command costs a debug build 20 ms: no more of them than needed. An older event among the lines is gone the next time.
    let said = try await types("/friends list", "/friends requests")
    let own = said.last { value(of: "jid", in: $0) == jid && value(of: "change", in: $0) == "null" }
    var text = "-"
    if let own {
      text = value(of: "subscription", in: own) ?? ""
      if value(of: "ask", in: own) == "true" { text += ", asked" }
      if let name = value(of: "name", in: own), name != "null" { text += " '\(name)'" }
      if let groups = value(of: "groups", in: own), groups != "[]" {
        // In whatever order: the server may keep its own.
        text +=
          " "
          + groups.dropFirst().dropLast().split(separator: "\",\"").map { $0.filter { $0 != "\"" } }.sorted().joined(
            separator: "+")
      }
    }
    let isAsked = said.contains {
      value(of: "event", in: $0) == "friend-request" && value(of: "jid", in: $0) == jid
    }
    return isAsked ? text + " ?" : text
  }

  func waits() async throws { _ = try await types("/sleep 0.1") }

  var endings: Int? { all.count { value(of: "event", in: $0) == "friendship-ended" } }
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
