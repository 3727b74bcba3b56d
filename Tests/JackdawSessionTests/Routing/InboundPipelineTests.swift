// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// Messages on their way into the log, by a feature that opens what is sealed.
@Client @Suite("A message that comes passes the features' stages", .onLoop) struct InboundPipelineTests {
  /// Opens each message after some time; how is for the test to say.
  final class Opener: Feature {
    nonisolated static let about = FeatureDescription("RFC 6121 0", "Opener", scope: "opens")
    var takes = Duration.seconds(5)
    private let clock: any LoopClock

    init(_ context: FeatureContext) { clock = context.clock }

    func install(in routes: RouteTable) {
      routes.onMessage(.decrypt) { [unowned self] inbound in
        guard let sealed = inbound.message.payloads.first(where: { $0.matches("sealed", "urn:example") }) else {
          return .pass
        }
        var opened = inbound
        opened.message.body = sealed.text
        let (clock, takes) = (clock, takes)
        return .later {
          try? await clock.sleep(for: takes)
          return opened.message.body == "nothing" ? nil : opened
        }
      }
    }
  }

  private let store = AccountStore.inMemory()
  private let streams = ScriptedServer.ManagedStreams()
  private let archive = ArchiveServer()

  private func run() throws -> LiveRig {
    let rig = try LiveRig(
      .interactive(Presence()), stores: SessionStores(messages: store.messages, streams: store.streams),
      features: SessionFixture.core + [MessageCarbons.self, MessageArchive.self, StanzaIDs.self, Opener.self])
    rig.fixture.managedStreams = streams
    archive.serve(rig.fixture)
    return rig
  }

  private func sealed(_ body: String, from: String = "bob@example.net/x") -> String {
    "<message from='\(from)' to='alice@example.org' type='chat' id='\(body)'><body>sealed</body>"
      + "<sealed xmlns='urn:example'>\(body)</sealed></message>"
  }

  private func plain(_ body: String) -> String {
    "<message from='bob@example.net/x' to='alice@example.org' type='chat' id='\(body)'><body>\(body)</body></message>"
  }

  private func told(_ rig: LiveRig) -> [String] { rig.fixture.events(MessageArrived.self).map(\.body) }
  private func answers(_ rig: LiveRig) -> [String] {
    rig.fixture.sent().filter { $0.name == "a" }.compactMap { $0.attribute("h") }
  }

  @Test("and one that takes its time holds those behind it, in order")
  func order() async throws {
    let rig = try run()
    try await rig.start()
    await rig.fixture.receive(sealed("one") + plain("two") + sealed("nothing") + plain("three"))
    #expect(told(rig) == [])
    await rig.fixture.clock.elapse(.seconds(5))
    #expect(told(rig) == ["one", "two"])
    await rig.fixture.clock.elapse(.seconds(5))
    #expect(told(rig) == ["one", "two", "three"])
  }

  @Test("and nothing is acknowledged before all that came is in the log")
  func acknowledgement() async throws {
    let rig = try run()
    try await rig.start()
    await rig.fixture.receive("<r xmlns='urn:xmpp:sm:3'/>")
    let before = try #require(answers(rig).last.flatMap { Int($0) })
    await rig.fixture.receive(sealed("one") + plain("two") + "<r xmlns='urn:xmpp:sm:3'/>")
    #expect(answers(rig).isEmpty)
    await rig.fixture.clock.elapse(.seconds(5))
    // Answers to what we ask by ourselves count too.
    #expect(answers(rig).last.flatMap { Int($0) } ?? 0 >= before + 2)
    #expect(told(rig) == ["one", "two"])
  }

  @Test("and goes on as it came when a stage does not end")
  func patience() async throws {
    let rig = try run()
    try await rig.start()
    rig.fixture.session.features[Opener.self].takes = .seconds(3_600)
    await rig.fixture.receive(sealed("one") + plain("two"))
    await rig.fixture.clock.elapse(SessionLimits.stagePatience - .milliseconds(1))
    #expect(told(rig) == [])
    await rig.fixture.clock.elapse(.milliseconds(1))
    #expect(told(rig) == ["sealed", "two"])
  }

  @Test("and so does the first of more than may wait")
  func flood() async throws {
    let rig = try run()
    try await rig.start()
    rig.fixture.session.features[Opener.self].takes = .seconds(3_600)
    await rig.fixture.receive(sealed("one"))
    let many = (0...SessionLimits.messagesBehindStage).map { plain("m\($0)") }
    for message in many.dropLast() { await rig.fixture.receive(message) }
    #expect(told(rig) == [])
    await rig.fixture.receive(many[many.count - 1])
    #expect(told(rig).count == many.count + 1 && told(rig).first == "sealed")
  }

  @Test("whether it is another device's or of the archive")
  func sources() async throws {
    try store.messages.keepArchiveCursor("a1")
    archive.bodies = ["old", "missed"]
    archive.payload = { "<sealed xmlns='urn:example'>opened \($0)</sealed>" }
    let rig = try run()
    try await rig.start()
    await rig.fixture.clock.elapse(.seconds(30))
    #expect(told(rig) == ["opened missed"])
    await rig.fixture.receive(
      "<message from='alice@example.org' to='alice@example.org/here' type='chat'><received xmlns='urn:xmpp:carbons:2'>"
        + "<forwarded xmlns='urn:xmpp:forward:0'>"
        + sealed("carbon").replacing("<message ", with: "<message xmlns='jabber:client' ")
        + "</forwarded></received></message>")
    await rig.fixture.clock.elapse(.seconds(5))
    #expect(told(rig) == ["opened missed", "carbon"])
  }

  @Test("and is told as it came when the session ends meanwhile")
  func end() async throws {
    let rig = try run()
    try await rig.start()
    await rig.fixture.receive(sealed("one") + plain("two"))
    await rig.live.leave()
    #expect(told(rig) == ["sealed", "two"])
  }
}
