// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Archives with more messages than a busy day has.
@Suite("A long archive", .serialized)
struct LongArchiveProgramTests {
  /// More than was ever read of an archive in one go.
  private static let many = 10_100

  @Test("is read to its end: of more than 10,000 missed messages none is skipped")
  func allAreRead() async throws {
    try await withPair(on: .prosody, LongArchive.server, friends: true) { alice, bob in
      try await bob.listening("--json", "--count", "1") { listening in
        try await listening.expect(#""state":"online""#)
        try await alice.sees(bob)
        try await alice.does("send", bob.jid, "before")
        #expect(try await listening.wait() == .exited(0))
      }
      try await LongArchive.fill(bob, from: alice, count: Self.many)
      try await bob.listening("--json", "--count", "\(Self.many)") { listening in
        let ending = try await listening.wait()
        #expect(ending == .exited(0), "\(listening.standardError)")
        #expect(listening.shownBodies == (1...Self.many).map { "\($0)" })
      }
    }
  }

  /// Bytes from the server: more than a log-in and two pages of the archive, and a fraction of all of it.
  private static let fewPages = 200_000

  @Test(
    "of thousands of messages that day does not stop the commands after one that was interrupted",
    arguments: [true, false])
  func interruptedSend(arrived: Bool) async throws {
    try await withPair(on: .prosody, LongArchive.server, friends: true) { alice, bob in
      try await LongArchive.fill(alice, from: bob, count: Self.many)
      try await bob.listening("--json", "--count", "3") { bobListens in
        try await bobListens.expect(#""state":"online""#)
        try await alice.sees(bob)
        try await InterruptedSend.leaveOne(alice, bob, bobListens, loses: !arrived)
        let sent = try await FaultProxy.with(to: alice.server) { proxy in
          // So slow that a command would not live to see the whole archive.
          if !arrived { proxy.slow(.init(bytes: 1_000, interval: .milliseconds(20))) }
          let sent = try await alice.through(proxy).run("--timeout", "60", "send", bob.jid, "three")
          if arrived { #expect(proxy.bytesFromServer < Self.fewPages, "the newest page has it") }
          return sent
        }
        #expect(sent.ending == .exited(0), "\(sent.errors)")
        let note =
          arrived
          ? "1 message of an earlier run had arrived." : "Sent 1 message that an earlier run left unsent."
        #expect(sent.errors.contains(note), "\(sent.errors)")
        #expect(try await bobListens.wait() == .exited(0))
        #expect(bobListens.shownBodies == ["one", "two", "three"])
        #expect(try await alice.does("outbox") == [])
      }
    }
  }

  /// 1 December 1969, 12:30:15.
  private static let longAgo = -2_633_385

  @Test("may have what was said before 1970, which is shown with its date")
  func before1970() async throws {
    try await withPair(on: .prosody, LongArchive.server, friends: true) { alice, bob in
      try await bob.does("send", alice.jid, "now")
      try await LongArchive.fill(alice, from: bob, count: 1, time: Self.longAgo)
      try await alice.does("history", "sync")
      let exported = try await alice.does("history", bob.jid, "--export", "json")
      #expect(
        exported.contains { $0.contains(#""body":"1","delayed":"1969-12-01T12:30:15.000Z""#) }, "\(exported)")
      let shown = try await alice.does("history", bob.jid, "--until", "1970-01-01")
      #expect(
        shown.contains { $0.contains("1969") } && shown.contains { $0.hasSuffix("12:30 \(bob.jid): 1") }, "\(shown)")
    }
  }
}
