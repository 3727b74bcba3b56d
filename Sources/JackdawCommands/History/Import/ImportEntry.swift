// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

/// What one line or row of somebody's history comes to.
enum ImportEntry: Equatable, Sendable {
  case message(StagedMessage)
  /// It was said in a room, or by somebody in one.
  case room
  /// It belongs to another account.
  case otherAccount
  /// Nothing that was said, or not yet.
  case leftOut
  /// It cannot be read.
  case malformed(ImportProblem)
}

/// Where in a file an entry stands.
struct ImportPlace: Equatable, Sendable, CustomStringConvertible {
  var file: String
  /// A row of a database, not a line.
  var isRow = false
  var number: Int64
  var description: String { "\(file), \(isRow ? "row" : "line") \(number)" }
}

/// A line or a row cannot be read.
struct ImportProblem: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong with it, to follow its place in a sentence.
  var description: String

  init(_ description: String) { self.description = description }
}

/// A message of another log, as far as it has been read: what makes an `ArrivedMessage` of it.
struct ImportedMessage: Equatable, Sendable {
  var id: String?
  var from: JID
  var to: JID
  var isOutgoing: Bool
  var kind: Message.Kind
  var text: String
  var time: Timestamp
  /// How far one of ours came that was sent by this program.
  var state: DeliveryState?
  /// What it says of earlier messages. Bounded by the kinds of ``MessageRelation``.
  var relations: [MessageRelation] = []
  /// What it carries beside its text.
  var payload: MessagePayload?

  /// As the log takes it, by the bounds that hold for what arrives.
  /// - Parameter now: nothing was said after it, but for clocks that differ.
  func arrived(now: Timestamp) throws(ImportProblem) -> ArrivedMessage {
    guard text.utf8.count <= CommandLimits.importedTextBytes else {
      throw ImportProblem("has a text of more than \(CommandLimits.importedTextBytes) bytes")
    }
    guard (Self.earliest...Self.latest).contains(time.milliseconds) else { throw ImportProblem("has no time") }
    guard time.milliseconds <= now.milliseconds + CommandLimits.importedAhead else {
      throw ImportProblem("has a time that is yet to come")
    }
    let id = id.flatMap { $0.isEmpty || $0.utf8.count > CommandLimits.importedIDBytes ? nil : $0 }
    let event = MessageArrived(
      id: id, from: from, to: to, kind: kind, body: Self.cleaned(text), carbon: isOutgoing ? .sent : nil,
      relations: relations, payload: payload)
    var message = ArrivedMessage(event, archiveID: nil, hasUniqueID: false, mayBeRepeated: true, time: time)
    message.exportedState = isOutgoing ? state : nil
    return message
  }

  /// What no stanza can hold (XML 1.0, 2.2), such as NUL, is replaced.
  private static func cleaned(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isForbidden) else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { scalars.append(isForbidden(scalar) ? "\u{FFFD}" : scalar) }
    return String(scalars)
  }

  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D: false
    case 0..<0x20, 0xFFFE, 0xFFFF: true
    default: false
    }
  }

  /// The years 1 to 9999, which can be written.
  private static let earliest: Int64 = -62_135_596_800_000
  private static let latest: Int64 = 253_402_300_799_999
}
