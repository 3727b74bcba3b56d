// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

@Client @Suite("Stored messages", .onLoop) struct OfflineMessagesTests {
  @Test("a server that does not say whether it keeps them is taken for one that does not, after some seconds")
  func silent() async throws {
    let fixture = try SessionFixture()
    fixture.answer = { element in
      let isQuestion = (try? IQ(element))?.payload?.attribute("node", equals: OfflineMessages.node) ?? false
      return isQuestion ? [] : SessionFixture.manners(element)
    }
    try await fixture.logIn()
    let feature = fixture.session.features[OfflineMessages.self]
    let asking = StartedTask { try await feature.keep() }
    await fixture.clock.elapse(.seconds(4))
    #expect(!asking.hasEnded)
    await fixture.clock.elapse(.seconds(1))
    #expect(asking.value == false)
    _ = fixture.sent()
    #expect(try await feature.keep() == false)
    #expect(fixture.sent().isEmpty, "it is asked once a stream")
  }
}
