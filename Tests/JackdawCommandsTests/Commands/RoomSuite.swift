// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawStore

@testable import JackdawCommands

/// Tests of `rooms`: a run of the program on a server that has rooms.
@Client protocol RoomSuite {
  var rig: ApplicationRig { get }
  var host: RoomHost { get }
}

extension RoomSuite {
  /// The room that is there.
  var tea: String { "tea@rooms.example.org" }

  /// Runs `rooms` with these words to its end.
  func rooms(_ words: String...) async throws -> ExitCode { try await rig.run(["rooms"] + words) }

  /// What was shown, a line a row, its cells with bars between.
  var lines: [String] {
    rig.output.rows.flatMap { $0.row.lines.map { $0.map(\.text).filter { !$0.isEmpty }.joined(separator: "|") } }
  }

  /// What is kept of a room on this device.
  func stored(_ jid: String) throws -> RoomRecord? { try rig.store.rooms.room(try JID(jid)) }
}
