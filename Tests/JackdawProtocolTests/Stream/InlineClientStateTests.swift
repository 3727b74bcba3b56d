// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML
import Testing

@testable import JackdawProtocol

/// Client state (XEP-0352) with a log-in in one exchange (XEP-0386).
@Suite("Client state with the resource")
struct InlineClientStateTests {
  private static func success(_ content: String) -> String {
    "<success xmlns='urn:xmpp:sasl:2'><authorization-identifier>user@example.org/jackdaw~1</authorization-identifier>"
      + "\(content)</success>"
  }

  /// A server that binds resources, and takes client state with them or not.
  private func begun(_ activity: ClientActivity, isOffered: Bool) throws -> StreamDriver {
    let feature = isOffered ? "<feature var='urn:xmpp:csi:0'/>" : ""
    var request = try StreamDriver.request("user@example.org")
    request.extras = LoginExtras(tag: "jackdaw")
    request.extras.activity = activity
    return try StreamDriver.authenticating(
      "<stream:features><authentication xmlns='urn:xmpp:sasl:2'><mechanism>PLAIN</mechanism><inline>"
        + "<bind xmlns='urn:xmpp:bind:0'><inline>\(feature)</inline></bind></inline></authentication></stream:features>",
      request: request)
  }

  @Test(
    "that nobody looks is said as the resource is bound, where the server takes that",
    arguments: [ClientActivity.active, .inactive], [true, false])
  func inBind(activity: ClientActivity, isOffered: Bool) throws {
    let driver = try begun(activity, isOffered: isOffered)
    let isSaid = isOffered && activity == .inactive
    let bind = try Element(parsing: try #require(driver.sent.last)).child("bind", "urn:xmpp:bind:0")
    #expect(bind?.children.map(\.name) == (isSaid ? ["tag", "inactive"] : ["tag"]))
    #expect((bind?.child("inactive", "urn:xmpp:csi:0") != nil) == isSaid)
    driver.server(Self.success("<bound xmlns='urn:xmpp:bind:0'/>") + Say.lastFeatures)
    let expected: ClientActivity = isSaid ? .inactive : .active
    #expect(driver.outcome?.activity == expected)
  }

  @Test("a resource that is bound in the old way is taken for active")
  func behind() throws {
    let driver = try begun(.inactive, isOffered: true)
    driver.server(Self.success("<failed xmlns='urn:xmpp:bind:0'/>"))
    driver.server(Say.lastFeatures + Say.bound("user@example.org/x"))
    #expect(driver.outcome?.activity == .active)
  }
}
