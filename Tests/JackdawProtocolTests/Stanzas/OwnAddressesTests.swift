// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawProtocol

/// Who may answer a request (RFC 6120 8.1.2.1), all combinations.
@Suite("The sender of an answer")
struct OwnAddressesTests {
  private static let addresses: [String: String] = [
    "bare": "alice@example.org", "full": "alice@example.org/here", "device": "alice@example.org/there",
    "domain": "example.org", "domain/": "example.org/x", "friend": "bob@example.org",
    "friend/": "bob@example.org/phone", "elsewhere": "example.net",
  ]

  private static func jid(_ name: String) throws -> JID? { try addresses[name].map { try JID($0) } }

  /// For each recipient of a request, whose answers count.
  @Test(
    "counts only where the request went to it, and without `from` only where it went to our own server",
    arguments: [
      ("none", ["none", "bare", "full", "domain"]),
      ("bare", ["none", "bare"]),
      ("full", ["none", "full"]),
      ("domain", ["none", "domain"]),
      ("device", ["device"]),
      ("domain/", ["domain/"]),
      ("friend", ["friend"]),
      ("friend/", ["friend/"]),
      ("elsewhere", ["elsewhere"]),
    ])
  func table(recipient: String, senders: [String]) throws {
    let own = OwnAddresses(try JID("alice@example.org/here"))
    for sender in ["none"] + Self.addresses.keys.sorted() {
      #expect(
        try own.acceptsAnswer(from: Self.jid(sender), to: Self.jid(recipient)) == senders.contains(sender),
        "to \(recipient), from \(sender)")
    }
  }

  @Test("may have any resource of the account before one is bound")
  func beforeBind() throws {
    let own = OwnAddresses(try JID("alice@example.org"))
    for sender in ["none"] + Self.addresses.keys.sorted() {
      let accepted = ["none", "bare", "full", "device", "domain"].contains(sender)
      #expect(try own.acceptsAnswer(from: Self.jid(sender), to: nil) == accepted, "from \(sender)")
    }
  }
}
