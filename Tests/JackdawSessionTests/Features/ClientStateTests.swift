// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

/// XEP-0352.
@Client @Suite(.onLoop) struct ClientStateTests {
  @Test func theServerIsToldWhetherAnybodyLooks() async throws {
    let fixture = try SessionFixture()
    fixture.script.moreFeatures = "<csi xmlns='urn:xmpp:csi:0'/>"
    try await fixture.settleIn()
    let state = fixture.session.features[ClientState.self]
    state.activityChanged(isActive: false)
    state.activityChanged(isActive: true)
    await fixture.clock.settle()
    #expect(fixture.sent() == [Element("inactive", ClientState.namespace), Element("active", ClientState.namespace)])
  }

  @Test func aServerThatDoesNotOfferItIsNotTold() async throws {
    let fixture = try SessionFixture()
    try await fixture.settleIn()
    fixture.session.features[ClientState.self].activityChanged(isActive: false)
    await fixture.clock.settle()
    #expect(fixture.sent().isEmpty)
  }

  @Test func withoutAConnectionItIsARemark() async throws {
    let fixture = try SessionFixture()
    fixture.script.moreFeatures = "<csi xmlns='urn:xmpp:csi:0'/>"
    try await fixture.settleIn()
    fixture.session.drop(ConnectionError(.lost, "cut"))
    fixture.session.features[ClientState.self].activityChanged(isActive: false)
    #expect(fixture.remarks.count == 1)
  }
}
