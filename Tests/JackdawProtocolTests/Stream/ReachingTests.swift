// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML
import Testing

@testable import JackdawProtocol

/// A stream that only sees who answers.
@Suite("Looking for a server")
struct ReachingTests {
  private func looking() throws -> StreamDriver {
    let driver = StreamDriver(reaching: try JID("alice@example.org/here"))
    driver.handle(.connected)
    return driver
  }

  @Test("It ends once TLS is verified and the server has spoken, and nobody was named")
  func wholeWay() throws {
    let driver = try looking()
    driver.server(Say.header + Say.tlsFeatures)
    driver.server(Say.proceed)
    driver.handle(.secured(channelBindings: [:], version: "TLSv1.3"))
    #expect(!driver.isReached)
    driver.server(Say.header + Say.mechanisms("PLAIN", "SCRAM-SHA-1"))
    #expect(driver.isReached && driver.failure == nil && !driver.machine.isReady)
    #expect(driver.sent.last == "</stream:stream>")
    #expect(driver.sent.allSatisfy { !$0.contains("alice") && !$0.contains("auth") })
    // Whatever comes after that has no effect.
    driver.server("<message><body>x</body></message></stream:stream>")
    #expect(driver.isClosed && driver.stanzas.isEmpty && driver.failure == nil)
  }

  @Test("A server without TLS is none: STARTTLS stripping (RFC 6120 13.9)")
  func withoutTLS() throws {
    let driver = try looking()
    driver.server(Say.header + Say.mechanisms("PLAIN"))
    #expect(!driver.isReached && driver.failure?.isUnverified == true)
  }
}
