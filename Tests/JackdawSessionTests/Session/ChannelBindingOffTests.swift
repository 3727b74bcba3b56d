// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import Support
import Testing

@testable import JackdawSession

@Client @Suite("Channel binding that is off", .onLoop)
struct ChannelBindingOffTests {
  private func fixture(_ mechanisms: [String]) throws -> SessionFixture {
    let fixture = try SessionFixture()
    fixture.script.mechanisms = mechanisms
    fixture.session.configuration.bindsChannel = false
    return fixture
  }

  @Test("is warned of at each log-in where the server offers it, and the mechanism is none with -PLUS")
  func warned() async throws {
    let fixture = try fixture(["SCRAM-SHA-1", "SCRAM-SHA-1-PLUS"])
    fixture.script.announcedTypes = ["tls-exporter"]
    for count in 1...2 {
      try await fixture.logIn()
      #expect(fixture.server.attempts == ["SCRAM-SHA-1"])
      #expect(fixture.notices.count { $0.hasPrefix("Channel binding is off for this account") } == count)
    }
  }

  @Test("is not spoken of where the server does not offer it")
  func silent() async throws {
    let fixture = try fixture(["SCRAM-SHA-1"])
    try await fixture.logIn()
    #expect(fixture.notices.isEmpty && !fixture.remarks.contains { $0.contains("bound") })
  }

  @Test("leaves it in memory that the server could do it")
  func memory() async throws {
    let fixture = try fixture(["SCRAM-SHA-1", "SCRAM-SHA-1-PLUS"])
    fixture.session.memory.mechanism = "SCRAM-SHA-1-PLUS"
    try await fixture.logIn()
    #expect(fixture.session.memory.mechanism == "SCRAM-SHA-1-PLUS")
  }
}
