// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import Support
import Testing

@testable import JackdawSession

/// What features say of their place among the others.
@Client @Suite("The list of features", .onLoop) struct FeatureListTests {
  private func names(_ types: [any Feature.Type]) -> [String] { types.map { "\($0)" } }

  @Test("the one that sessions are made of is in order and complete")
  func all() {
    #expect(FeatureSet.fault(in: FeatureList.all) == nil)
    #expect(names(FeatureSet.ordered(FeatureList.all)) == names(FeatureList.all))
    #expect(FeatureList.all.contains { !$0.before.isEmpty } && FeatureList.all.contains { !$0.needs.isEmpty })
  }

  @Test("is put into order where one would look at a message too late")
  func order() {
    let ordered = FeatureSet.ordered([Ping.self, Chat.self, StanzaIDs.self, MessageCarbons.self, MessageArchive.self])
    #expect(names(ordered) == ["Ping", "MessageArchive", "Chat", "MessageCarbons", "StanzaIDs"])
  }

  @Test("one that lacks what it needs is found")
  func needs() {
    #expect(FeatureSet.fault(in: [UserNickname.self]) == "UserNickname needs PersonalEvents in the list of features")
  }
}

/// What a feature hears of its stream.
@Client @Suite("A feature", .onLoop) struct FeatureLifeTests {
  /// Notes what it hears.
  final class Witness: Feature {
    nonisolated static let about = FeatureDescription("RFC 6121 0", "Witness", scope: "notes")
    private(set) var heard: [String] = []

    init(_ context: FeatureContext) {}
    func streamBegan() { heard.append("began") }
    func streamResumed() { heard.append("resumed") }
    func streamLost() { heard.append("lost") }
    func sessionEnded() { heard.append("ended") }
  }

  @Test("hears that its stream began, was resumed after a cut, was lost, and that the session ended")
  func life() async throws {
    let rig = try LiveRig(features: SessionFixture.core + [Witness.self])
    rig.fixture.managedStreams = ScriptedServer.ManagedStreams()
    let witness = rig.fixture.session.features[Witness.self]
    try await rig.start()
    #expect(witness.heard == ["began"])
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    await rig.fixture.clock.elapse(.seconds(2))
    #expect(witness.heard == ["began", "resumed"])
    await rig.live.leave()
    #expect(witness.heard == ["began", "resumed", "lost", "ended"])
  }
}
