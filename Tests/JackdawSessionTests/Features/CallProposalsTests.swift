// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// Calls that other devices of ours have seen to (XEP-0353): a session with its log, against a scripted server.
@Client @Suite("A call", .onLoop) struct CallProposalsTests {
  private nonisolated static let namespace = "urn:xmpp:jingle-message:0"
  private nonisolated static let mine = "alice@example.org"

  private let store = AccountStore.inMemory()
  private let archive = ArchiveServer()

  private func started() async throws -> SessionFixture {
    try store.messages.keepArchiveCursor(ArchiveCursor.beginning)
    let fixture = try SessionFixture(
      role: .script(Presence()),
      stores: SessionStores(messages: store.messages, log: store.log, readMarks: store.readMarks),
      features: SessionFixture.core + [
        MessageCarbons.self, ChatMarkers.self, CallProposals.self, MessageArchive.self, StanzaIDs.self,
      ])
    archive.serve(fixture)
    try await fixture.settleIn()
    return fixture
  }

  private var unread: Int { get throws { try store.log.unread().messages } }

  private static func step(_ name: String, _ id: String = "c1") -> String {
    let media = name == "propose" ? "<description xmlns='urn:xmpp:jingle:apps:rtp:1' media='audio'/>" : ""
    return "<\(name) xmlns='\(namespace)' id='\(id)'>\(media)</\(name)>"
  }

  private static func message(
    _ content: String, from: String = "bob@example.org/phone", to: String = mine, in namespace: String? = nil
  ) -> String {
    let declaration = namespace.map { " xmlns='\($0)'" } ?? ""
    return "<message\(declaration) from='\(from)' to='\(to)' type='chat'>\(content)</message>"
  }

  /// What another device of the account has sent to Bob.
  private static func carbon(_ content: String, from sender: String = mine) -> String {
    let copied = message(content, from: mine + "/phone", to: "bob@example.org", in: "jabber:client")
    return "<message from='\(sender)' to='\(mine)/here'><sent xmlns='urn:xmpp:carbons:2'>"
      + "<forwarded xmlns='urn:xmpp:forward:0'>\(copied)</forwarded></sent></message>"
  }

  @Test(
    "is unread no more once another device of ours has answered, refused or ended it",
    arguments: ["proceed", "accept", "reject", "finish"], [true, false])
  func answeredElsewhere(step: String, tellsBob: Bool) async throws {
    let fixture = try await started()
    var changes = 0
    fixture.session.features[ChatMarkers.self].onApplied = { changes += 1 }
    await fixture.receive(Self.message(Self.step("propose")))
    await fixture.receive(Self.message(Self.step("propose", "c2")))
    #expect(try unread == 2)
    // Before version 0.4 of the specification one's own devices were told by themselves.
    await fixture.receive(
      tellsBob ? Self.carbon(Self.step(step)) : Self.message(Self.step(step), from: Self.mine + "/phone"))
    #expect(try unread == 1 && changes == 1)
    #expect(
      try store.log.page(LogQuery(isUnread: true), after: nil).messages.map(\.event.payload?.content?.id) == ["c2"])
    // It is in the log as before.
    #expect(try store.log.page(LogQuery(), after: nil).messages.count == 2)
    #expect(fixture.events(MessageArrived.self).count == 2)
  }

  @Test("stays unread, whatever others say of it, and when nobody has answered")
  func missed() async throws {
    let fixture = try await started()
    await fixture.receive(Self.message(Self.step("propose")))
    for step in ["proceed", "accept", "reject", "finish", "ringing", "retract"] {
      await fixture.receive(Self.message(Self.step(step)))
      await fixture.receive(Self.message(Self.step(step), from: "eve@example.net/x"))
      await fixture.receive(Self.carbon(Self.step(step), from: "eve@example.net"))
    }
    await fixture.receive(Self.carbon(Self.step("ringing")))
    await fixture.receive(Self.carbon(Self.step("proceed", "c2")))
    #expect(try unread == 1)
  }

  @Test("answered before it gets here is not unread")
  func late() async throws {
    let fixture = try await started()
    await fixture.receive(Self.carbon(Self.step("proceed")))
    await fixture.receive(Self.message(Self.step("propose")))
    #expect(try unread == 0)
  }

  @Test("answered while this program was away is not unread; one that was missed is", arguments: [true, false])
  func archived(isInOnePage: Bool) async throws {
    let told = [
      ("a1", Self.message(Self.step("propose"), in: "jabber:client")),
      ("a2", Self.message(Self.step("propose", "c2"), in: "jabber:client")),
      (
        "a3", Self.message(Self.step("proceed"), from: Self.mine + "/phone", to: "bob@example.org", in: "jabber:client")
      ),
      ("a4", Self.message(Self.step("retract", "c2"), in: "jabber:client")),
    ]
    archive.lie = { iq, query in
      let set = query.child("set", ResultSetRequest.namespace)
      let after = set?.text(of: "after", ResultSetRequest.namespace).flatMap { Int($0.dropFirst()) } ?? 0
      let part = told.dropFirst(after).prefix(isInOnePage ? 4 : 1)
      let stamp = "<delay xmlns='urn:xmpp:delay' stamp='2026-11-20T10:00:00Z'/>"
      return part.map {
        ArchiveServer.result(iq.id, $0.0, "<forwarded xmlns='urn:xmpp:forward:0'>\(stamp)\($0.1)</forwarded>")
      } + [ArchiveServer.end(of: iq, isComplete: after + part.count == 4, first: part.first?.0, last: part.last?.0)]
    }
    let fixture = try await started()
    #expect(fixture.events(MessageArrived.self).count == 2)
    #expect(
      try store.log.page(LogQuery(isUnread: true), after: nil).messages.map(\.event.payload?.content?.id) == ["c2"])
  }
}
