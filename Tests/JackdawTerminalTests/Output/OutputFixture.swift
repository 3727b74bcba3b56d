// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support

@testable import JackdawTerminal

/// Lines in memory.
@Client final class MemorySink: TextSink {
  var columns: Int?
  var style: Style
  var text = ""
  private(set) var shown = 0

  init(columns: Int?, colors: Style.Colors = .none) {
    self.columns = columns
    style = Style(colors)
  }

  func write(_ lines: String) {
    text += lines
    shown += 1
  }
  func settle() {}
  func whenOut(_ action: @escaping @Client () -> Void) { action() }
  var holdsBack: Bool { false }
  func whenRoom(_ action: @escaping @Client () -> Void) { action() }
  func flush(within limit: Duration?) async throws(CommandFailure) {}

  func take() -> String {
    defer { text = "" }
    return text
  }
}

@Client final class Roster: NameSource {
  /// What accounts are called, where there are several.
  var accountNames: [JID: String] = [:]
  func accountName(_ account: JID) -> String? { accountNames[account] }
  /// What somebody is called on the contact lists of these accounts, where it differs. Bounded by the test.
  var names: [JID: String] = [:]
  func friend(_ jid: JID, of account: JID?) -> RosterItem? {
    if let name = account.flatMap({ names[$0] }) { return RosterItem(jid: jid.bare, name: name) }
    guard jid.localpart != "eve", jid.localpart?.contains("\u{43E}") != true else { return nil }
    switch jid.localpart {
    case "bob": return RosterItem(jid: jid.bare, name: "Bob")
    case "evil": return RosterItem(jid: jid.bare, name: "E\u{9B}vil\n12:00 Bob")
    default: return RosterItem(jid: jid.bare)
    }
  }

  func isOwn(_ jid: JID) -> Bool { jid.localpart == "me" }
  /// What rooms call themselves. Bounded by the test.
  var rooms: [JID: String] = [:]
  func room(_ jid: JID, of account: JID?) -> String? { rooms[jid.bare] }
  func isRoom(_ jid: JID) -> Bool { jid.domain.hasPrefix("rooms.") }
  /// Who somebody in a room is; the rest is nobody of whom more is known. Bounded by the test.
  var occupants: [String: OccupantIdentity] = ["B0b": OccupantIdentity(double: "bob")]
  func occupant(_ jid: JID, of account: JID?) -> OccupantIdentity? { jid.resource.flatMap { occupants[$0] } }

  /// What is in the log, by id; bounded by the test.
  var log: [String: LoggedMessage] = [:]

  func message(ofID id: String, in conversation: JID, isOutgoing: Bool?, of account: JID) -> LoggedMessage? {
    log[id].flatMap { found in
      found.conversation == conversation && isOutgoing ?? found.isOutgoing == found.isOutgoing ? found : nil
    }
  }
}

/// 2026-11-21 12:01:00 UTC.
let noon = Timestamp(milliseconds: 1_795_262_460_000)

@Client struct Fixture {
  let out: MemorySink
  let errors: MemorySink
  let clock = ManualClock()
  let output: TextOutput
  // The output does not keep it.
  let roster = Roster()
  let calendar = Calendar()

  /// What the clock on the wall shows.
  @Client final class Calendar { var now = noon }

  init(columns: Int? = 80, colors: Style.Colors = .none, verbosity: Verbosity = .normal, isPrompt: Bool = true) {
    out = MemorySink(columns: columns, colors: colors)
    errors = isPrompt ? out : MemorySink(columns: columns, colors: colors)
    let calendar = calendar
    output = TextOutput(
      out: out, errors: errors, names: roster, clock: clock, wallClock: { calendar.now }, localTime: .utc,
      verbosity: verbosity,
      isPrompt: isPrompt)
  }

  func message(
    _ body: String, from: String = "bob@example.org/x", to: String = "me@example.org", kind: Message.Kind = .chat,
    delayed: Timestamp? = nil, carbon: MessageArrived.Carbon? = nil
  ) throws -> String {
    output.show(
      MessageArrived(
        id: "1", from: try JID(from), to: try JID(to), kind: kind, body: body, delayed: delayed, carbon: carbon))
    return out.take()
  }

  func presence(_ from: String, _ show: String = "available", _ status: String? = nil) throws {
    output.show(PresenceChanged(from: try JID(from), show: show, status: status, priority: 0))
  }
}

/// For tests of lines, in which there is one account.
extension TextOutput {
  func show(_ event: any ClientEvent) {
    guard let own = try? JID("me@example.org") else { return }
    show(event, of: own)
  }

  func show(_ row: any CommandRow, of command: String) { show(row, of: command, account: nil) }
  func fail(_ failure: CommandFailure) { fail(failure, account: nil) }
}
