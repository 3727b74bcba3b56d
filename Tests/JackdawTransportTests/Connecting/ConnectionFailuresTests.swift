// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Testing

@testable import JackdawTransport

/// What is said of several addresses at which there is no connection, as a value.
@Suite("Failures on the way to a connection") struct ConnectionFailuresTests {
  private func summary(of errors: [Int32]) throws -> TransportError {
    var failures = ConnectionFailures()
    let address = try #require(SocketAddress(literal: "192.0.2.1", port: 5222))
    for error in errors { failures.add(TransportError(.unreachable, "why", errno: error), at: address) }
    return failures.summary(domain: "example.org")
  }

  @Test(
    "that this process can open nothing more is said of it, and not of the host", arguments: [EMFILE, ENFILE, ENOMEM])
  func resources(error: Int32) throws {
    let found = try summary(of: [error, error])
    #expect(
      found.code == .resources && found.description == "No connection can be opened: why." && found.errno == error)
  }

  @Test("an address that was tried counts", arguments: [[EMFILE, ECONNREFUSED], [ECONNREFUSED, EMFILE]])
  func tried(errors: [Int32]) throws {
    let found = try summary(of: errors)
    #expect(found.code == .unreachable && found.description.hasPrefix("example.org cannot be reached ("))
  }
}
