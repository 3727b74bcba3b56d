// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Testing

@testable import JackdawCommands

@Suite("The messages that wait for a program")
struct WaitingMessagesTests {
  private func message(_ body: String, place: Int64? = nil) throws -> MessageArrived {
    var message = MessageArrived(
      id: nil, from: try JID("bob@example.org"), to: try JID("alice@example.org"), kind: .chat, body: body)
    message.place = place.map { LogPlace(seq: $0) }
    return message
  }

  private func texts(_ waiting: inout WaitingMessages) -> [String] {
    var texts: [String] = []
    while let entry = waiting.next() {
      switch entry.text {
      case .here(let message): texts.append(message.body)
      case .inLog(let place, _): texts.append("#\(place.seq)")
      }
    }
    return texts
  }

  @Test("are handed over in turns, each sender's in their order, strangers as one")
  func turns() throws {
    var waiting = WaitingMessages()
    let bob = WaitingMessages.Sender.known(try JID("bob@example.org"))
    for number in 1...4 { #expect(waiting.add(try message("s\(number)"), of: .strangers, mayBeAnswered: true)) }
    #expect(waiting.add(try message("b1"), of: bob, mayBeAnswered: true))
    #expect(waiting.add(try message("b2"), of: bob, mayBeAnswered: true))
    #expect(waiting.count == 6)
    #expect(texts(&waiting) == ["s1", "b1", "s2", "b2", "s3", "s4"])
    #expect(waiting.count == 0 && waiting.bytes == 0)
  }

  @Test("are held in memory up to a number of bytes, and of one sender up to a share; the rest is in the log")
  func budget() throws {
    var waiting = WaitingMessages(limits: .init(messages: 100, bytes: 10, bytesOfOne: 6))
    let bob = WaitingMessages.Sender.known(try JID("bob@example.org"))
    for number in 1...3 {
      #expect(waiting.add(try message("aaa", place: Int64(number)), of: .strangers, mayBeAnswered: true))
    }
    #expect(waiting.add(try message("bbb", place: 4), of: bob, mayBeAnswered: true))
    #expect(waiting.add(try message("bbb", place: 5), of: bob, mayBeAnswered: true))
    #expect(waiting.bytes == 9)
    #expect(texts(&waiting) == ["aaa", "bbb", "aaa", "#5", "#3"])
    #expect(waiting.bytes == 0)
  }

  @Test("of the longest kind, a thousand of them, take a megabyte")
  func flood() throws {
    var waiting = WaitingMessages()
    let body = String(repeating: "x", count: 258_000)
    for number in 1...1_000 {
      #expect(waiting.add(try message(body, place: Int64(number)), of: .strangers, mayBeAnswered: true))
    }
    #expect(waiting.count == 1_000 && waiting.bytes <= CommandLimits.waitingBytes)
  }

  @Test("of few words and much beside them take no more memory")
  func beside() throws {
    var (waiting, message) = (WaitingMessages(), try self.message("hi"))
    var payload = MessagePayload()
    let url = String(repeating: "u", count: 2_000)
    payload.links = Array(repeating: MessagePayload.Link(url: url, description: url), count: 10)
    message.payload = payload
    for number in 1...100 {
      (message.id, message.place) = (String(repeating: "i", count: 1_000), LogPlace(seq: Int64(number)))
      let isTaken = waiting.add(message, of: .strangers, mayBeAnswered: true)
      #expect(isTaken)
    }
    #expect(waiting.bytes > 41_000 && waiting.bytes <= CommandLimits.waitingBytesOfOne)
    let taken = texts(&waiting)
    #expect(taken.count { $0.hasPrefix("#") } == 94)
    #expect(waiting.bytes == 0)
  }

  @Test("are refused where there is no log and no room, but for one, however long")
  func withoutALog() throws {
    var waiting = WaitingMessages(limits: .init(messages: 2, bytes: 4, bytesOfOne: 4))
    #expect(waiting.add(try message("aaaaaaaaa"), of: .strangers, mayBeAnswered: true))
    let isTaken = waiting.add(try message("b"), of: .strangers, mayBeAnswered: true)
    #expect(!isTaken)
    #expect(waiting.add(try message("b", place: 1), of: .strangers, mayBeAnswered: true))
    let another = try message("c", place: 2)
    #expect(!waiting.hasRoom)
    let isLastTaken = waiting.add(another, of: .strangers, mayBeAnswered: true)
    #expect(!isLastTaken)
    _ = waiting.next()
    #expect(waiting.hasRoom && waiting.hasMuchRoom)
  }
}

@Suite("The brake of answers")
struct ReplyBrakeTests {
  private static func message(
    from: String = "bob@example.org/x", kind: Message.Kind = .chat, age: Int64? = nil,
    carbon: MessageArrived.Carbon? = nil
  ) throws -> MessageArrived {
    MessageArrived(
      id: nil, from: try JID(from), to: try JID("alice@example.org"), kind: kind, body: "x",
      delayed: age.map { Timestamp(milliseconds: 1_000_000_000 - $0) }, carbon: carbon)
  }

  @Test("lets a person be answered to what was just said, and nobody else")
  func rules() throws {
    let own = try JID("alice@example.org/here")
    func answers(_ message: MessageArrived) -> Bool {
      ReplyBrake.mayBeAnswered(message, own: own, now: Timestamp(milliseconds: 1_000_000_000))
    }
    for message in try [
      Self.message(), Self.message(kind: .normal), Self.message(age: 300_000), Self.message(age: -60_000),
    ] {
      #expect(answers(message))
    }
    for message in try [
      Self.message(age: 300_001), Self.message(from: "alice@example.org/there"),
      Self.message(from: "alice@example.org"),
      Self.message(from: "example.org"), Self.message(from: "bot.example.org/x"), Self.message(kind: .headline),
      Self.message(kind: .error), Self.message(carbon: .received),
    ] {
      #expect(!answers(message))
    }
  }

  @Test("lets only what names the user be answered in a room")
  func rooms() throws {
    let own = try JID("alice@example.org/here")
    var message = try Self.message(from: "tea@rooms.example.org/bob", kind: .groupchat)
    #expect(!ReplyBrake.mayBeAnswered(message, own: own, now: Timestamp(milliseconds: 0)))
    var payload = MessagePayload()
    payload.isMention = true
    message.payload = payload
    #expect(ReplyBrake.mayBeAnswered(message, own: own, now: Timestamp(milliseconds: 0)))
  }

  private func time(_ seconds: Int, _ milliseconds: Int = 0) -> MonotonicTime {
    MonotonicTime(nanoseconds: 0) + .seconds(seconds) + .milliseconds(milliseconds)
  }

  @Test("holds after 20 answers in 10 s, until there was silence for a minute")
  func brake() throws {
    var brake = ReplyBrake()
    let bob = try JID("bob@example.org/x")
    for _ in 0..<20 { #expect(brake.answer(to: bob, at: time(0)) == .sends) }
    #expect(brake.answer(to: try JID("bob@example.org/y"), at: time(9)) == .stops)
    #expect(brake.answer(to: bob, at: time(30)) == .isStopped)
    #expect(brake.answer(to: try JID("carol@example.org"), at: time(30)) == .sends)
    #expect(brake.answer(to: bob, at: time(89)) == .isStopped)
    #expect(brake.answer(to: bob, at: time(149)) == .sends)
  }

  @Test("counts the answers of the last 10 s, whenever these begin")
  func window() throws {
    let bob = try JID("bob@example.org/x")
    // The first of twenty is ten seconds old: it is no part of them any more. A millisecond earlier it is.
    for (milliseconds, verdict) in [(9_999, ReplyBrake.Verdict.stops), (10_000, .sends)] {
      var brake = ReplyBrake()
      #expect(brake.answer(to: bob, at: time(0)) == .sends)
      for _ in 0..<19 { #expect(brake.answer(to: bob, at: time(5)) == .sends) }
      #expect(brake.answer(to: bob, at: time(0, milliseconds)) == verdict)
    }
    // Ten before the end of one window and eleven at the beginning of the next are 21 in ten seconds all the same.
    var brake = ReplyBrake()
    for _ in 0..<10 { #expect(brake.answer(to: bob, at: time(9)) == .sends) }
    for _ in 0..<10 { #expect(brake.answer(to: bob, at: time(11)) == .sends) }
    #expect(brake.answer(to: bob, at: time(11)) == .stops)
  }

  @Test("is said once each time, and lets go after a minute in which nothing was to be answered, and not before")
  func rest() throws {
    let bob = try JID("bob@example.org/x")
    for (milliseconds, verdict) in [(59_999, ReplyBrake.Verdict.isStopped), (60_000, .sends)] {
      var brake = ReplyBrake()
      for _ in 0..<20 { _ = brake.answer(to: bob, at: time(0)) }
      #expect(brake.answer(to: bob, at: time(0)) == .stops)
      for second in 1...300 { #expect(brake.answer(to: bob, at: time(second)) == .isStopped) }
      #expect(brake.answer(to: bob, at: time(300, milliseconds)) == verdict)
    }
    // After that it counts anew.
    var brake = ReplyBrake()
    for start in [0, 61] {
      for _ in 0..<20 { #expect(brake.answer(to: bob, at: time(start)) == .sends) }
      #expect(brake.answer(to: bob, at: time(start)) == .stops)
      #expect(brake.answer(to: bob, at: time(start)) == .isStopped)
    }
  }

  @Test("is each sender's own, whatever device they write from")
  func senders() throws {
    var brake = ReplyBrake()
    let (bob, carol) = (try JID("bob@example.org"), try JID("carol@example.org/x"))
    for number in 0..<20 { #expect(brake.answer(to: try bob.with(resource: "d\(number)"), at: time(0)) == .sends) }
    #expect(brake.answer(to: bob, at: time(0)) == .stops)
    for _ in 0..<20 { #expect(brake.answer(to: carol, at: time(0)) == .sends) }
    #expect(brake.answer(to: carol, at: time(1)) == .stops && brake.answer(to: bob, at: time(1)) == .isStopped)
  }

  @Test("lets somebody be answered who writes much, but no faster than a person")
  func patience() throws {
    var brake = ReplyBrake()
    let bob = try JID("bob@example.org/x")
    for second in 0..<200 { #expect(brake.answer(to: bob, at: time(second)) == .sends) }
  }

  @Test("remembers no more addresses than there is room for, and those that it holds")
  func memory() throws {
    var brake = ReplyBrake()
    let bot = try JID("bot@example.org")
    for _ in 0...20 { _ = brake.answer(to: bot, at: time(0)) }
    for number in 0..<3_000 { #expect(brake.answer(to: try JID("x\(number)@example.org"), at: time(1)) == .sends) }
    #expect(brake.answer(to: bot, at: time(2)) == .isStopped)
  }
}
