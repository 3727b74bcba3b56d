// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import Testing

@testable import JackdawTerminal

/// What is told of one's messages having been read.
@Suite("That a message was read") struct ReceiptDigestTests {
  private let bob: JID
  private let digest = Kept()
  private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

  init() throws { bob = try JID("bob@example.org") }

  @Test("is told once, of the last message alone")
  func once() {
    digest.said("a", in: bob, at: start, shown: 1)
    digest.said("b", in: bob, at: start, shown: 2)
    #expect(!digest.displayed("a", in: bob, at: start))
    #expect(digest.displayed("b", in: bob, at: start))
    #expect(digest.drain() == [.init(conversation: bob, isRead: true, shown: 2)])
    #expect(!digest.displayed("b", in: bob, at: start))
    #expect(digest.drain() == [])
  }

  @Test("is no news once they have answered, and of what was never said")
  func answered() {
    digest.said("a", in: bob, at: start, shown: 1)
    digest.answered(in: bob)
    #expect(!digest.displayed("a", in: bob, at: start) && !digest.displayed("x", in: bob, at: start))
    #expect(!digest.delivered("x", in: bob, at: start + .seconds(60)))
  }

  @Test("is told at the first message of those that somebody reads as they come, and again when one was left unread")
  func looking() {
    for (place, id) in ["a", "b", "c"].enumerated() {
      let now = start + .seconds(place)
      digest.said(id, in: bob, at: now, shown: 1)
      #expect(digest.displayed(id, in: bob, at: now) == (id == "a"))
      _ = digest.drain()
    }
    digest.said("d", in: bob, at: start + .seconds(5), shown: 1)
    #expect(digest.displayed("d", in: bob, at: start + .seconds(60)))
    _ = digest.drain()
    digest.said("e", in: bob, at: start + .seconds(6_000), shown: 1)
    #expect(digest.displayed("e", in: bob, at: start + .seconds(6_000)))
  }

  @Test("and that it has come, is told where it came late")
  func late() {
    digest.said("a", in: bob, at: start, shown: 1)
    #expect(!digest.delivered("a", in: bob, at: start + .seconds(1)))
    #expect(digest.delivered("a", in: bob, at: start + .seconds(60)))
    #expect(digest.drain() == [.init(conversation: bob, isRead: false, shown: 1)])
    #expect(digest.displayed("a", in: bob, at: start + .seconds(90)))
    #expect(digest.drain() == [.init(conversation: bob, isRead: true, shown: 1)])
  }

  @Test("in a room names who has, those of a moment together, and no more of the same message later")
  func rooms() {
    digest.said("a", in: bob, at: start, shown: 1)
    #expect(digest.displayed("a", inRoom: bob, by: "x"))
    #expect(!digest.displayed("a", inRoom: bob, by: "x"))
    #expect(digest.displayed("a", inRoom: bob, by: "y"))
    #expect(!digest.displayed("b", inRoom: bob, by: "y"))
    #expect(digest.drain() == [.init(conversation: bob, isRead: true, readers: ["x", "y"], shown: 1)])
    #expect(!digest.displayed("a", inRoom: bob, by: "z"))
    digest.said("b", in: bob, at: start, shown: 2)
    for number in 0..<1_000 { _ = digest.displayed("b", inRoom: bob, by: "\(number)") }
    #expect(digest.drain().first?.readers.count == TerminalLimits.rememberedReaders)
  }

  /// Keeps the value, as expectations cannot change one.
  private final class Kept {
    private var digest = ReceiptDigest()

    func said(_ id: String, in conversation: JID, at now: MonotonicTime, shown: Int) {
      digest.said(id, in: conversation, at: now, shown: shown)
    }

    func answered(in conversation: JID) { digest.answered(in: conversation) }

    func delivered(_ id: String, in conversation: JID, at now: MonotonicTime) -> Bool {
      digest.delivered(id, in: conversation, at: now)
    }

    func displayed(_ id: String, in conversation: JID, at now: MonotonicTime) -> Bool {
      digest.displayed(id, in: conversation, at: now)
    }

    func displayed(_ id: String, inRoom room: JID, by nick: String) -> Bool {
      digest.displayed(id, inRoom: room, by: nick)
    }

    func drain() -> [ReceiptDigest.News] { digest.drain() }
  }
}
