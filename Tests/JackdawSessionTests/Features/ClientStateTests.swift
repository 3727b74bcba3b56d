// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// XEP-0352.
@Client @Suite(.onLoop) struct ClientStateTests {
  @Test("the server is told whether the user is active") func theServerIsToldWhetherAnybodyLooks() async throws {
    let fixture = try SessionFixture()
    fixture.script.moreFeatures = "<csi xmlns='urn:xmpp:csi:0'/>"
    try await fixture.settleIn()
    let state = fixture.session.features[ClientState.self]
    state.activityChanged(isActive: false)
    state.activityChanged(isActive: true)
    await fixture.clock.settle()
    #expect(fixture.sent() == [Element("inactive", Namespace.clientState), Element("active", Namespace.clientState)])
  }

  @Test("what the server was told as it bound the resource is not said once more, and taken back where somebody looks")
  func saidWithTheResource() async throws {
    let fixture = try SessionFixture()
    fixture.script.moreFeatures = "<csi xmlns='urn:xmpp:csi:0'/>"
    try await fixture.settleIn()
    let state = fixture.session.features[ClientState.self]
    fixture.session.identity.activityAtLogin = .inactive
    state.streamBegan()
    state.activityChanged(isActive: false)
    await fixture.clock.settle()
    #expect(fixture.sent().isEmpty)
    for _ in 0..<2 { state.activityChanged(isActive: true) }
    await fixture.clock.settle()
    #expect(fixture.sent() == [Element("active", Namespace.clientState)])
  }

  @Test("a stream that goes on is active again, and the server is told once more that nobody looks")
  func saidOnEachStream() async throws {
    let fixture = try SessionFixture()
    fixture.script.moreFeatures = "<csi xmlns='urn:xmpp:csi:0'/>"
    try await fixture.settleIn()
    let state = fixture.session.features[ClientState.self]
    state.activityChanged(isActive: false)
    state.streamResumed()
    state.activityChanged(isActive: false)
    await fixture.clock.settle()
    #expect(fixture.sent() == Array(repeating: Element("inactive", Namespace.clientState), count: 2))
  }

  @Test("a server without client state indication is not told") func aServerThatDoesNotOfferItIsNotTold() async throws {
    let fixture = try SessionFixture()
    try await fixture.settleIn()
    fixture.session.features[ClientState.self].activityChanged(isActive: false)
    await fixture.clock.settle()
    #expect(fixture.sent().isEmpty)
  }

  @Test("without a connection the state is not sent, and a remark is logged")
  func withoutAConnectionItIsARemark() async throws {
    let fixture = try SessionFixture()
    fixture.script.moreFeatures = "<csi xmlns='urn:xmpp:csi:0'/>"
    try await fixture.settleIn()
    fixture.session.drop(ConnectionError(.lost, "cut"))
    fixture.session.features[ClientState.self].activityChanged(isActive: false)
    #expect(fixture.remarks.count == 1)
  }
}
