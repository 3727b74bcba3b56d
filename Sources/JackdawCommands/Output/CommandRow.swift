// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol
import JackdawSession

/// One piece of a line of text, with what it means; how that looks (colour, width, escapes) is the renderer's affair.
package struct Cell: Sendable, Equatable {
  /// What a piece of text is.
  package enum Role: String, Sendable {
    case plain, jid, name, heading, time, number, good, bad, faint
    /// The program's own words, in which addresses may stand.
    case sentence
    /// How somebody is.
    case online, away, busy, offline
    /// How many messages are.
    case unread
  }
  /// As it came, unescaped, however hostile.
  package var text: String
  package var role: Role

  package init(_ text: String, _ role: Role = .plain) {
    self.text = text
    self.role = role
  }
}

/// One thing that a command found: a line of a table in text, an object in JSON (its own keys, after `event`, `time`,
/// `account`, and `command` where the event is `result`).
package protocol CommandRow: Encodable, Sendable {
  /// The JSON event: `result` for most, `friend` and `friend-request` for those that are events too.
  static var event: String { get }
  /// The line in text. Rows of one type that follow each other are aligned as columns. Without cells the row is for JSON only:
  /// in text, success is silent.
  var cells: [Cell] { get }
  /// All lines, for a row that is more than one in text.
  var lines: [[Cell]] { get }
  /// A text that, in text, is shown as a QR code below the lines; nil for most.
  var code: ScannedText? { get }
}

/// A text for another device's camera.
package struct ScannedText: Sendable, Equatable {
  /// What the camera reads.
  package var text: String
  /// Whether it is shown on what is no terminal too.
  package var isForced: Bool

  package init(_ text: String, isForced: Bool) {
    self.text = text
    self.isForced = isForced
  }
}

extension CommandRow {
  package static var event: String { Self.resultEvent }
  package var lines: [[Cell]] { cells.isEmpty ? [] : [cells] }
  package var code: ScannedText? { nil }
  /// The event of what is a command's result and nothing else.
  package static var resultEvent: String { "result" }
}

extension CommandRow {
  /// The row as a line of Docs/JSON.md, with its line feed.
  /// - Parameters:
  ///   - command: the command's words: `friends list`.
  ///   - account: whose it is; nil is written as `null`.
  /// - Throws: `EncodingError` when the type encodes itself as something that is no object: our bug.
  package func jsonLine(of command: String, at time: Timestamp, account: String?) throws -> [UInt8] {
    guard Self.event == Self.resultEvent else {
      return try JSONLineEncoder.line(
        of: self, after: ["event": Self.event, "time": time.description, "account": account])
    }
    return try JSONLineEncoder.line(
      of: self, after: ["event": Self.event, "time": time.description, "account": account, "command": command])
  }
}

extension CommandFailure {
  /// The failure as a line of Docs/JSON.md, with its line feed.
  /// - Parameter account: whose it is; nil is written as `null`.
  /// - Throws: never in fact; the encoder's word.
  package func jsonLine(at time: Timestamp, account: String?) throws -> [UInt8] {
    try JSONLineEncoder.line(of: self, after: ["event": Self.event, "time": time.description, "account": account])
  }
}
