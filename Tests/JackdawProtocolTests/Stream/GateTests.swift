// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML
import Support
import Testing

@testable import JackdawProtocol

@Suite("The gate")
struct GateTests {
  /// Anything that a server without the password could say, the real server's overheard words among it.
  private static let words = [
    Say.header, Say.tlsFeatures, Say.proceed, Say.mechanisms("SCRAM-SHA-1"),
    Say.mechanisms("SCRAM-SHA-1", "SCRAM-SHA-1-PLUS"), Say.mechanisms("DIGEST-MD5"), Say.lastFeatures,
    "<stream:features/>",
    Say.sasl("challenge", "r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,s=QSXCR+Q6sek8bf92,i=4096"),
    Say.sasl("challenge", "r=fyko+d2lbbFgONRv9qkxdawL.1X,s=QSXCR+Q6sek8bf92,i=4096"),
    Say.sasl("challenge", "v=QUFBQUFBQUFBQUFBQUFBQUFBQUE="), Say.sasl("success", "v=QUFBQUFBQUFBQUFBQUFBQUFBQUE="),
    Say.saslText("success", ""), Say.saslText("success", "="), Say.saslText("challenge", ""),
    Say.failure("not-authorized"), Say.failure("malformed-request"), Say.bound("alice@example.org/here"),
    "<iq type='result' id='b1'/>", "<message from='bob@example.org'><body>x</body></message>", "<presence/>",
    "<iq type='set' id='p'><query xmlns='jabber:iq:roster'/></iq>", "<r xmlns='urn:xmpp:sm:3'/>",
    "<message xmlns='urn:evil'/>", " ", "</stream:stream>", Say.streamError("reset"),
    Say.streamError("see-other-host", "evil.example"),
  ]

  @Test("Whatever a server says that does not know the password, in whatever order, no stanza gets through")
  func anyOrder() throws {
    let request = try StreamDriver.request()
    let derivation = SCRAMDerivation(
      hash: .sha1, password: Array("secret".utf8).withUnsafeBytes { SecretBytes($0) },
      salt: try #require(Base64.decode("QSXCR+Q6sek8bf92".utf8)), iterations: 4_096)
    let keys = try #require(derivation.run())
    var generator = SplitMix(seed: 1)
    var reached: Set<String> = []
    for round in 0..<3_000 {
      let driver = StreamDriver(request)
      driver.derive = { _ in .keysDerived(keys) }
      let isDirect = round % 2 == 0
      driver.handle(
        isDirect ? .secured(channelBindings: ["tls-exporter": [1]], version: "TLSv1.3") : .connected)
      // The first steps lead on, so that the later ones meet every state.
      var said = isDirect ? [Say.header, words(4)] : [Say.header, Say.tlsFeatures]
      said = Array(said.prefix(Int.random(in: 0...2, using: &generator)))
      for _ in 0..<8 { said.append(Self.words.randomElement(using: &generator) ?? "") }
      for word in said {
        driver.server(word)
        reached.insert(driver.machine.awaited)
        #expect(driver.stanzas.isEmpty && driver.others.isEmpty && driver.outcome == nil && !driver.machine.isReady)
      }
    }
    #expect(reached.contains("the TLS handshake"))
    #expect(reached.contains("the server's answer to the log-in"))
    #expect(!reached.contains("stanzas"))
  }

  private func words(_ index: Int) -> String { Self.words[index] }
}
