// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("Whom a command is for", .onLoop)
struct CommandContextTests {
  nonisolated static let roster: [(jid: String, name: String?, groups: [String])] = [
    ("bob@example.org", "Bob", []), ("carol@example.org", "Carol Smith", []), ("twin1@example.org", "Twin", []),
    ("twin2@example.net", "twin", []), ("dave@example.org", nil, []),
  ]

  @Test(
    "is an address, a link, a name, a localpart, or our own server",
    arguments: [
      ("eve@example.net", "eve@example.net"), ("eve@example.net/x", "eve@example.net/x"),
      ("example.net", "example.net"),
      ("xmpp:eve@example.net?message", "eve@example.net"), ("Bob", "bob@example.org"), ("bob", "bob@example.org"),
      ("carol smith", "carol@example.org"), ("dave", "dave@example.org"), ("Twin", "twin1@example.org"),
      ("[::1]", "[::1]"),
      // Whoever is in a room can be written to, whatever they call themselves.
      ("tea@rooms.example.org/Bob \u{B7} he/him", "tea@rooms.example.org/Bob \u{B7} he/him"),
      // As servers write it.
      ("stra\u{DF}e@example.net", "strasse@example.net"), ("xmpp:stra%C3%9Fe@example.net", "strasse@example.net"),
    ])
  func isFound(_ word: String, _ jid: String) async throws {
    let rig = try ApplicationRig(TypedLines())
    rig.setRoster(Self.roster)
    let context = rig.context()
    #expect(try await context.address(word).description == jid)
    // Who is named by an address needs no network.
    let isAddress = word.contains(".") || word.contains("@") || word.hasPrefix("[")
    #expect(rig.fixture.connector.plans.isEmpty == isAddress)
  }

  @Test("is a friend of the stored contact list, for which no connection is needed, and nobody beside it")
  func isStored() async throws {
    let rig = try ApplicationRig()
    rig.storeRoster([("bob@example.org", "Bob")])
    let context = rig.context()
    #expect(try await context.address("bob").description == "bob@example.org")
    await #expect(throws: CommandFailure.self) { try await context.address("carol") }
    #expect(rig.fixture.connector.plans.isEmpty)
  }

  @Test(
    "is nobody, or not clear",
    arguments: [
      ("TWIN", ExitCode.badInput, "Which 'TWIN' do you mean: twin1@example.org, twin2@example.net?"),
      ("nobody", .noUser, "You have no friend 'nobody', and it is not an address (like ali@example.org)."),
      ("", .badInput, ""), ("a@b@c", .badInput, ""), ("bob@", .badInput, ""), ("xmpp:", .badInput, ""),
      ("bob\u{200B}@example.org", .badInput, ""),
    ])
  func isNotFound(_ word: String, _ code: ExitCode, _ text: String) async throws {
    let rig = try ApplicationRig(TypedLines())
    rig.setRoster(Self.roster)
    let context = rig.context()
    do {
      let jid = try await context.address(word)
      Issue.record("\(jid)")
    } catch {
      let failure = CommandFailure(error)
      #expect(failure.code == code && failure.text.hasPrefix(text))
    }
  }

  @Test("is each of several, once, reported by itself, with the last failure's code")
  func several() async throws {
    let rig = try ApplicationRig()
    rig.fixture.answer = { element in
      guard let iq = try? IQ(element), iq.kind == .get, let to = iq.to else { return SessionFixture.manners(element) }
      switch to.localpart {
      case "good": return SessionFixture.manners(element)
      case "gone":
        var answer = iq.failure(StanzaError(kind: .cancel, condition: "item-not-found"))
        answer.from = to
        return [answer.element]
      default:
        var answer = iq.failure(StanzaError(kind: .auth, condition: "forbidden"))
        answer.from = to
        return [answer.element]
      }
    }
    let code = try await rig.run(
      "ping", "good@b.example", "bad@b.example", "gone@b.example", "good@b.example", "good@c.example")
    #expect(code == .noUser)
    #expect(rig.output.rows(PingRow.self).map(\.jid.description).sorted() == ["good@b.example", "good@c.example"])
    #expect(rig.output.failures.map(\.code) == [.unavailable, .noUser])
    #expect(rig.output.failures.map(\.command) == ["ping", "ping"])
    #expect(zip(rig.output.failures, ["bad@b.example", "gone@b.example"]).allSatisfy { $0.text.contains($1) })
  }

  @Test(
    "is each of many, and what all of them failed for is told once",
    arguments: [(3, false, 3), (10, false, 10), (11, false, 1), (3_000, false, 1), (30, true, 30)])
  func many(_ count: Int, _ isNamed: Bool, _ told: Int) async throws {
    let rig = try ApplicationRig()
    let context = rig.context()
    let jids = try (0..<count).map { try JID("u\($0)@b.example") }
    do {
      try await context.each(jids) { jid in
        if isNamed { throw FriendError(.hasNotAsked, jid) }
        throw ConnectionError(.lost, "the line is cut")
      }
      Issue.record("nothing failed")
    } catch let failure as CommandFailure {
      #expect(rig.output.failures.count + 1 == told)
      if told == 1 { #expect(failure.text == "u0@b.example and \(count - 1) more: the line is cut.") }
    }
  }
}
