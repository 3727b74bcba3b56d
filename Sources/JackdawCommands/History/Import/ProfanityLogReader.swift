// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawProtocol
import JackdawSession

/// Whose log a file is, by where Profanity puts it: `chatlogs/ACCOUNT/PEER/YYYY_MM_DD.log`, a room's in `chatlogs/ACCOUNT/rooms/`, with
/// `_at_` for each `@`.
struct ProfanityLogName: Equatable, Sendable {
  /// nil: the folder's name is no address.
  var account: JID?
  var peer: JID?
  /// It is a room's, or of somebody in a room, whose nickname stands behind the room's address.
  var isRoom: Bool
  /// Year, month and day; nil: the file's name is no date.
  var day: [Int32]?

  /// - Parameter path: absolute.
  init(path: String) {
    var parts = path.split(separator: "/").map(String.init)
    day = parts.popLast().flatMap(Self.day)
    let folder = parts.popLast() ?? ""
    let isInRooms = parts.last == "rooms"
    if isInRooms { parts.removeLast() }
    account = parts.last.flatMap(Self.address)
    // No host name has an underscore.
    let host = folder.range(of: "_at_", .last).map { folder[$0.upperBound...] }
    isRoom = isInRooms || host?.contains("_") == true
    peer = isRoom ? nil : Self.address(folder)
  }

  /// `2026_11_21.log`
  static func day(_ name: String) -> [Int32]? {
    guard name.hasSuffix(".log"), let numbers = name.dropLast(4).numbers(between: "_", digits: [4, 2, 2]),
      (1...9999).contains(numbers[0]), (1...12).contains(numbers[1]), (1...31).contains(numbers[2])
    else { return nil }
    return numbers
  }

  private static func address(_ folder: String) -> JID? {
    guard let mark = folder.range(of: "_at_", .last) else { return nil }
    // It may be as somebody typed it.
    return try? JID(folder[..<mark.lowerBound] + "@" + folder[mark.upperBound...]).folded
  }
}

/// Reads a log of Profanity (its `src/chatlog.c`): `TIME - me: text`, `TIME - ADDRESS: text`, and `TIME - *me does` for `/me does`. TIME is that of
/// the day since 2012, and a whole moment since 0.13. Further lines of a text stand as they are.
struct ProfanityLogReader {
  let name: ProfanityLogName
  let own: JID
  let now: Timestamp
  let localTime: LocalTime
  private var pending: (line: Int64, message: Result<ImportedMessage, ImportProblem>)?

  /// - Parameter name: says with whom it is; one that does not is refused by who has it.
  init(_ name: ProfanityLogName, own: JID, now: Timestamp, localTime: LocalTime = .system) {
    self.name = name
    self.own = own
    self.now = now
    self.localTime = localTime
  }

  /// - Returns: what ended before this line, with the number of its first one.
  mutating func take(_ line: String, _ number: Int64) -> (line: Int64, entry: ImportEntry)? {
    if let beginning = beginning(line) {
      let ended = finish()
      pending = (number, beginning)
      return ended
    }
    guard let pending else {
      return line.isEmpty ? nil : (number, .malformed(ImportProblem("does not begin with a time and a name")))
    }
    if case .success(var message) = pending.message {
      // Two at once would be a copy for each line.
      self.pending = nil
      message.text += "\n" + line
      let isTooLong = message.text.utf8.count > CommandLimits.importedTextBytes
      self.pending = (
        pending.line,
        isTooLong
          ? .failure(ImportProblem("has a text of more than \(CommandLimits.importedTextBytes) bytes"))
          : .success(message)
      )
    }
    return nil
  }

  /// - Returns: the last one.
  mutating func finish() -> (line: Int64, entry: ImportEntry)? {
    guard let pending else { return nil }
    self.pending = nil
    if name.isRoom { return (pending.line, .room) }
    if let account = name.account, account != own { return (pending.line, .otherAccount) }
    do throws(ImportProblem) {
      let message = try pending.message.get()
      // What was encrypted may have been kept out of the log.
      let isLeftOut = message.text.isEmpty || ["[redacted]", "[REDACTED]"].contains(message.text)
      if isLeftOut { return (pending.line, .leftOut) }
      return (pending.line, .message(StagedMessage(try message.arrived(now: now))))
    } catch {
      return (pending.line, .malformed(error))
    }
  }

  /// nil: it goes on with what was said before.
  private func beginning(_ line: String) -> Result<ImportedMessage, ImportProblem>? {
    guard let mark = line.range(of: " - ", .first), let time = time(line[..<mark.lowerBound]) else { return nil }
    let rest = line[mark.upperBound...]
    let isAction = rest.first == "*"
    let said = isAction ? rest.dropFirst() : rest
    let end: Range<String.Index>?
    if isAction {
      end = said.firstIndex(of: " ").map { $0..<said.index(after: $0) }
    } else {
      end = said.range(of: ": ", .first)
    }
    guard let end else { return nil }
    let who = String(said[..<end.lowerBound])
    let isOutgoing = who == "me"
    guard let peer = name.peer ?? (name.isRoom ? own : nil),
      isOutgoing || name.isRoom || (try? JID(received: who))?.folded.bare == peer
    else { return nil }
    guard let time else { return .failure(ImportProblem("has a time without a day")) }
    return .success(
      ImportedMessage(
        id: nil, from: isOutgoing ? own : peer, to: isOutgoing ? peer : own, isOutgoing: isOutgoing, kind: .chat,
        text: (isAction ? "/me " : "") + said[end.upperBound...], time: time, state: nil))
  }

  /// - Returns: nil: it is no time; in it nil: it has no day.
  private func time(_ text: Substring) -> Timestamp?? {
    guard text.utf8.count != 8 else {
      guard let numbers = text.numbers(between: ":", digits: [2, 2, 2]), (0...23).contains(numbers[0]),
        (0...59).contains(numbers[1]), (0...60).contains(numbers[2])
      else { return nil }
      guard let day = name.day else { return .some(nil) }
      var fieldsOfDay = tm()
      (fieldsOfDay.tm_year, fieldsOfDay.tm_mon, fieldsOfDay.tm_mday) = (day[0] - 1900, day[1] - 1, day[2])
      let minute = localTime.moment(fieldsOfDay, hour: numbers[0], minute: numbers[1])
      return Timestamp(milliseconds: minute.milliseconds + Int64(numbers[2]) * 1_000)
    }
    guard (19...40).contains(text.utf8.count), let time = Timestamp(iso8601: String(text)) else { return nil }
    return time
  }
}

extension StringProtocol {
  /// Numbers of so many digits each; nil: it is anything else.
  fileprivate func numbers(between separator: Character, digits: [Int]) -> [Int32]? {
    let fields = split(separator: separator, omittingEmptySubsequences: false)
    let hasDigitsAlone = fields.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    guard hasDigitsAlone, fields.map(\.utf8.count) == digits else { return nil }
    return fields.compactMap { Int32($0) }
  }

  fileprivate func range(of part: String, _ which: Occurrence) -> Range<Index>? {
    let bytes = Array(part.utf8)
    var found: Range<Index>?
    var index = startIndex
    while index < endIndex {
      if utf8[index...].starts(with: bytes) {
        let range = index..<utf8.index(index, offsetBy: bytes.count)
        if which == .first { return range }
        found = range
      }
      index = utf8.index(after: index)
    }
    return found
  }
}

private enum Occurrence { case first, last }
