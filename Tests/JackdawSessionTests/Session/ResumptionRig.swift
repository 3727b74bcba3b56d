// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawTransport
import JackdawXML
import Support
import Testing

/// A live session in memory with a server that counts stanzas.
@Client struct ResumptionRig {
  let rig: LiveRig
  let streams = ScriptedServer.ManagedStreams()

  var fixture: SessionFixture { rig.fixture }
  var live: LiveSession { rig.live }
  var chat: Delivery { fixture.session.delivery }
  let bob: JID

  init(_ role: SessionRole = .interactive(Presence())) throws {
    rig = try LiveRig(role)
    bob = try JID("bob@example.org")
    rig.fixture.managedStreams = streams
  }

  /// Online, with nothing open.
  func start() async throws {
    try await rig.start()
    _ = fixture.sent()
  }

  /// The line breaks; the next try is made two seconds later.
  func cut() async {
    fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    await fixture.clock.settle()
  }

  /// So many ask to be friends in one go, which is more than the server allows itself to say.
  func flood(_ count: Int) async {
    let requests = (0..<count).map { "<presence type='subscribe' from='u\($0)@example.net'/>" }.joined()
    await fixture.receive(
      requests + """
        <stream:error><policy-violation xmlns='urn:ietf:params:xml:ns:xmpp-streams'/>\
        <text xmlns='urn:ietf:params:xml:ns:xmpp-streams'>Too many unacked stanzas</text></stream:error></stream:stream>
        """)
    #expect(live.state == .retrying)
    _ = fixture.sent()
  }

  /// Until after the next try.
  func comeBack() async {
    await fixture.clock.elapse(.seconds(2))
    await fixture.clock.settle()
  }

  /// Bodies of the messages that the server has, in order.
  var taken: [String] { streams.taken.compactMap { try? Message($0).body } }

  /// What became of messages, as `id state`.
  var states: [String] { fixture.events(MessageStateChanged.self).map { "\($0.id) \($0.state.name)" } }
}
