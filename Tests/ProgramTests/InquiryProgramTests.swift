// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// What others are, and what the server answers.
@Suite("Asking others")
struct InquiryProgramTests {
  @Test("info and friends show have the vCard, and report each address", arguments: TestServer.Kind.allCases)
  func cards(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await alice.does("vcard", "set", "fn", "Alice Liddell")
      let domain = alice.server.domain
      let outcome = try await bob.run("info", alice.jid, "nobody@\(domain)", domain)
      #expect(outcome.ending == .exited(69))
      #expect(outcome.lines.contains("\(alice.jid)\tvcard\tfn: Alice Liddell"))
      #expect(outcome.lines.contains { $0.hasPrefix("\(domain)\tidentity\tserver/im") })
      #expect(outcome.lines.contains { $0.hasPrefix("\(domain)\tversion\t") })
      #expect(outcome.errors.contains("nobody@\(domain)"))
      #expect(try await bob.does("friends", "show", alice.jid).contains("vcard\tfn: Alice Liddell"))
      let json = try await bob.does("--json", "friends", "show", alice.jid)
      #expect(json.count == 1)
      #expect(json.first?.contains(#""vcard":[{"field":"fn","uses":[],"value":"Alice Liddell""#) == true)
    }
  }

  @Test("a stanza written by hand is answered, an error as XML too", arguments: TestServer.Kind.allCases)
  func stanzas(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, bob in
      let answer = try await alice.does("xml", "<iq type='get' id='a1'><ping xmlns='urn:xmpp:ping'/></iq>")
      #expect(answer.count == 1)
      #expect(answer.first?.hasPrefix("<iq type='result' id='a1'") == true)
      let refusal = try await alice.run("xml", "<iq type='get' to='\(bob.jid)/none'><q xmlns='urn:q'/></iq>")
      #expect(refusal.ending == .exited(69))
      #expect(refusal.lines.first?.hasPrefix("<iq type='error'") == true)
      #expect(refusal.lines.first?.contains("<service-unavailable xmlns=") == true)
      expectOneSentence(try await alice.run("xml", "<presence/></stream:stream>"), code: 65, naming: "XML")
    }
  }

  @Test("a request is approved beforehand where the server can")
  func approval() async throws {
    try await withPair(on: .prosody) { alice, bob in
      try await alice.does("friends", "approve", bob.jid)
      try await bob.does("friends", "add", alice.jid)
      try await eventually {
        try await alice.does("friends").contains { $0.contains(bob.jid) && $0.contains("they see you") }
      }
    }
    try await withPair(on: .ejabberd) { alice, bob in
      expectOneSentence(
        try await alice.run("friends", "approve", bob.jid), code: 69, naming: "cannot approve requests before they come"
      )
    }
  }
}
