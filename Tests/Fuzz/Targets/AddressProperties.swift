// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawTerminal

/// An address that is valid is the same when it is written and read again, whole or part by part; so is a link.
enum AddressProperties {
  static func check(_ input: inout FuzzInput) throws {
    let text = input.text()
    if let jid = try? JID(text) { try check(jid) }
    if let jid = try? JID(received: text) {
      try require((try? JID(received: jid.description)) == jid, "read back differently: \(jid)")
      try require(jid.folded.folded == jid.folded, "folded differently: \(jid)")
      try require(ScreenProperties.isSafe(Escaper.address(jid)), "an address is shown raw: \(jid)")
    }
    if let link = try? XMPPURI(text) { try check(link) }
    if let prepared = try? SASLprep.prepare(text) {
      let again = try? SASLprep.prepare(prepared)
      try require(
        again == prepared, "prepared twice: \(Array(prepared.utf8)), then \(again.map { Array($0.utf8) } ?? [])")
    }
  }

  private static func check(_ jid: JID) throws {
    try require((try? JID(jid.description)) == jid, "read back differently: \(jid)")
    let parts = try? JID(localpart: jid.localpart, domain: jid.domain, resource: jid.resource)
    try require(parts == jid, "put together differently: \(jid)")
    try require((try? jid.bare.with(resource: jid.resource)) == jid, "its resource is another: \(jid)")
    try require(jid.bare.isBare && jid.server.isBare && jid.server.localpart == nil, "no bare address: \(jid)")
    for part in [jid.localpart, jid.domain, jid.resource].compactMap({ $0 }) {
      try require((1...1023).contains(part.utf8.count), "a part of \(part.utf8.count) bytes")
      try require(!part.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }, "a control in \(jid)")
    }
    let domain = jid.asciiDomain
    try require((try? JID(domain)) == jid.server, "the A-labels '\(domain)' are another domain than '\(jid.domain)'")
    try check(XMPPURI(jid, account: jid.bare, action: "message", parameters: [.init("body", jid.description)]))
    try require(ScreenProperties.isSafe(Escaper.address(jid)), "an address is shown raw: \(jid)")
  }

  private static func check(_ link: XMPPURI) throws {
    let written = link.description
    try require(written.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "a link is not plain: \(written)")
    // Percent-encoding makes it longer than what was read, and perhaps than what may be read.
    guard written.utf8.count <= 3000 else { return }
    try require((try? XMPPURI(written)) == link, "a link is read back differently: \(written)")
    if let contact = try? ContactLink(link) { try require(contact.jid.isBare, "a contact with a resource: \(written)") }
  }
}
