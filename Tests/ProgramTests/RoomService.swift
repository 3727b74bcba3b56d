// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support

/// A service of rooms that comes and goes, and whose rooms may be crowded: Tests/Support/Strangers/rooms.py.
struct RoomService {
  static let domain = "crowd.test"
  static let server = TestServer.Options { $0.component = domain }

  private let process: TestProcess

  /// Has it there until `body` is done, at a server of the kind of ``server``. One test at a time may have it.
  /// - Parameter occupants: how many others are in each room.
  static func with<Result>(
    on server: TestServer, occupants: Int = 0, _ body: (RoomService) async throws -> Result
  ) async throws -> Result {
    let invocation = TestProcess.Invocation(
      "/usr/bin/python3",
      [
        "-B", SourceTree.path("Tests/Support/Strangers/rooms.py"), domain, "component", server.host,
        "\(server.componentPort)", "\(occupants)",
      ],
      environment: TestProcess.Invocation.scrubbed, input: .open)
    return try await TestProcess.withProcess(invocation) { process in
      try await process.expect("online\n")
      return try await body(RoomService(process: process))
    }
  }

  /// Waits until it prints this.
  func tells(_ line: String) async throws { try await process.expect(line + "\n") }

  /// What those who entered have said, in order.
  func said(in room: String) -> [String] {
    process.standardOutput.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ", maxSplits: 3)
      return words.count == 4 && words[0] == "said" && words[1] == room ? String(words[3]) : nil
    }
  }

  /// Somebody says something in a room.
  func says(_ text: String, as nick: String, in room: String) { process.send("say \(room) \(nick) \(text)\n") }

  /// All others leave a room and come back, so often. Returns when the server has dealt with it.
  func churns(_ room: String, times: Int) async throws {
    process.send("churn \(room) \(times)\n")
    try await process.expect("asked\n", within: .seconds(300))
  }
}
