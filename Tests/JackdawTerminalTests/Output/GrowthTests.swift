// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawTerminal

/// What a text of somebody else costs on its way to the eye, in every field it may come in: four times the text is four times the
/// work. Squared it would be sixteen times, so that a machine with other things to do makes no difference that counts.
@Client @Suite("The work of showing a text grows no faster than the text", .onLoop)
struct GrowthTests {
  private static let pieces = [
    "x", "many words ", "http://", "www.example.org/", "xmpp:a http://b ", "e\u{301}", "\u{301}", "\t", "\n", "世",
    "👩\u{200D}",
    "🇩🇪", "\u{202E}", "\u{915}\u{94D}\u{937}",
  ]

  enum Field: CaseIterable {
    case body, bodyOnPipe, status, failure, reason, rosterName, group, resource, requestWords, cell, cellOnPipe, json,
      prompt
    case completion
  }

  @Test("in each field, whatever it is made of", arguments: Field.allCases)
  func inEachField(field: Field) throws {
    for piece in Self.pieces {
      let small = try Self.time(of: field, text: Self.text(piece, 5_000))
      // What takes no time at all has nothing to grow.
      let most = 9 * small + 2
      let large = try Self.time(of: field, text: Self.text(piece, 20_000), enough: most)
      #expect(large < most, "\(field) of \(piece.debugDescription): \(small) ms, then \(large) ms")
    }
  }

  private static func text(_ piece: String, _ bytes: Int) -> String {
    String(repeating: piece, count: bytes / piece.utf8.count)
  }

  /// Milliseconds of this thread's processor time, the least of three, or of fewer where that is less than enough.
  private static func time(of field: Field, text: String, enough: Double = 0) throws -> Double {
    var least = Double.infinity
    for _ in 0..<3 where least >= enough {
      let work = try work(field, text)
      least = min(least, ProcessorTime.milliseconds(of: work))
    }
    return least
  }

  private static func work(_ field: Field, _ text: String) throws -> @Client () -> Void {
    let isPipe = field == .bodyOnPipe || field == .cellOnPipe
    let fixture = Fixture(columns: isPipe ? nil : 80, colors: .sixteen, isPrompt: false)
    let output = fixture.output
    let bob = try JID("bob@example.org")
    func showing(_ event: any ClientEvent) -> @Client () -> Void {
      {
        output.show(event)
        output.settle()
        _ = fixture
      }
    }
    switch field {
    case .body, .bodyOnPipe:
      return showing(MessageArrived(id: nil, from: bob, to: try JID("me@example.org"), kind: .chat, body: text))
    case .status: return showing(PresenceChanged(from: bob, show: "away", status: text, priority: 0))
    case .failure:
      let failure = CommandFailure(.tryAgain, CommandFailure.notSent, text)
      return { output.fail(failure, account: nil) }
    case .reason: return showing(MessageStateChanged(id: "1", to: bob, state: .failed(reason: text)))
    case .rosterName: return showing(FriendChanged(item: RosterItem(jid: bob, name: text), change: nil))
    case .group: return showing(FriendChanged(item: RosterItem(jid: bob, groups: [text, text]), change: nil))
    case .resource:
      return { _ = Escaper.name(text) + Escaper.address(text) }
    case .requestWords: return showing(FriendRequested(jid: bob, displayName: text, message: text))
    case .cell, .cellOnPipe:
      let row = TextRow(cells: [Cell("bob@example.org", .jid), Cell(text), Cell(text, .name), Cell(text)])
      return {
        output.show(row, of: "test")
        output.settle()
      }
    case .json:
      let message = MessageArrived(id: text, from: bob, to: bob, kind: .chat, body: text)
      return { _ = try? message.jsonLine(at: noon, account: nil) }
    case .prompt:
      let line = PromptLine(style: Style(.sixteen), columns: 80)
      let state = PromptState(presence: "away", conversation: text, connection: .online)
      return { _ = line.text(for: state) }
    case .completion:
      return {
        _ = TypedWords(command: "/to " + text)
        _ = TypedWords(message: text)
        _ = TypedWords.quoted(text)
        _ = Prompt.commonPrefix([text + "a", text + "b"])
      }
    }
  }

  private struct TextRow: CommandRow {
    var cells: [Cell]
    func encode(to encoder: any Encoder) throws {}
  }
}
