// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML

extension ScriptedServer {
  /// What a server has, offers and does.
  package struct Script: Sendable {
    package var domain = "example.org"
    package var user = "alice"
    /// Of the account, as SASLprep leaves it.
    package var password = "secret"
    package var mechanisms = ["SCRAM-SHA-1", "SCRAM-SHA-256", "PLAIN"]
    package var iterations: Int32 = 4_096
    package var salt: [UInt8] = Array("a salt of a test".utf8)
    package var serverNonce = "3rfcNHYJY1ZVvWVs7j"

    /// Announced by XEP-0440; nil: not announced.
    package var announcedTypes: [String]?
    /// The types that the server can do, announced or not.
    package var bindableTypes: Set<String> = []
    /// Takes `y` though it offers -PLUS, as ejabberd did until 2026.
    package var isLaxAboutFlag = false
    /// Signs its offer (XEP-0474).
    package var signsOffer = false
    /// Puts its signature into a challenge, and ends with an empty success (RFC 6120 6.4.6).
    package var signsInChallenge = false

    package var isDirectTLS = false
    /// Resources at which bind ends in `conflict`.
    package var takenResources: Set<String> = []
    /// Put into the features after the log-in, as XML.
    package var moreFeatures = ""

    package init() {}

    var mechanismFeatures: String {
      let names = mechanisms.map { "<mechanism>\($0)</mechanism>" }.joined()
      let types = announcedTypes.map { types in
        let list = types.map { "<channel-binding type='\($0)'/>" }.joined()
        return "<sasl-channel-binding xmlns='urn:xmpp:sasl-cb:0'>\(list)</sasl-channel-binding>"
      }
      return
        "<stream:features><mechanisms xmlns='\(Namespace.sasl)'>\(names)</mechanisms>\(types ?? "")</stream:features>"
    }

    func lastFeatures(_ others: String) -> String {
      "<stream:features><bind xmlns='\(Namespace.bind)'/>\(others)\(moreFeatures)</stream:features>"
    }

    /// XEP-0474's text for `hash`, written without the client's code.
    func offerHash(_ hash: SCRAMHash) -> [UInt8] {
      func joined(_ list: [String]) -> String {
        list.sorted { Array($0.utf8).lexicographicallyPrecedes($1.utf8) }.joined(separator: "\u{1E}")
      }
      let text = joined(mechanisms) + (announcedTypes.map { "\u{1F}" + joined($0) } ?? "")
      return SCRAMCrypto.digest(hash, Array(text.utf8)) ?? []
    }
  }
}
