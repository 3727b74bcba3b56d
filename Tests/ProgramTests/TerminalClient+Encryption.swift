// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// What Bob's client needs to encrypt for Alice. Jackdaw reads nothing of it, so that nobody has to have the private half of her keys.
extension TerminalClient {
  /// The fingerprints of two keys of OpenPGP, which are in the keyring of GnuPG in the client's home.
  struct KeyRing {
    let home: TestDirectory
    let bob: String
    let alice: String

    /// - Parameter words: a program of GnuPG, and its arguments.
    fileprivate static func run(_ words: [String], in home: TestDirectory) async throws -> [String] {
      var environment = TestProcess.Invocation.scrubbed
      environment["HOME"] = home.path
      let outcome = try await TestProcess.run(
        .init(words[0], Array(words.dropFirst()), environment: environment, directory: home.path))
      try #require(outcome.ending == .exited(0), "\(words): \(outcome.errors)")
      return outcome.lines
    }

    /// A program of GnuPG stays behind for the next one.
    func end() async throws { _ = try await Self.run(["gpgconf", "--kill", "all"], in: home) }
  }

  /// Makes a key for each.
  /// - Returns: nil: it does not encrypt with OpenPGP.
  func makeKeyRing(of bob: String, and alice: String, in home: TestDirectory) async throws -> KeyRing? {
    guard self != .poezio else { return nil }
    var fingerprints: [String] = []
    for jid in [bob, alice] {
      // The name that XEP-0373 asks for.
      let name = "xmpp:\(jid)"
      _ = try await KeyRing.run(
        [
          "gpg", "--batch", "--passphrase", "", "--quick-generate-key", name, "future-default", "default", "never",
        ],
        in: home)
      let lines = try await KeyRing.run(["gpg", "--with-colons", "--list-keys", "=" + name], in: home)
      let line = try #require(lines.first { $0.hasPrefix("fpr:") })
      fingerprints.append(try #require(line.split(separator: ":").last.map(String.init)))
    }
    return KeyRing(home: home, bob: fingerprints[0], alice: fingerprints[1])
  }

  /// Publishes what Profanity looks for before it encrypts with OMEMO: a list of Bob's devices, to which it adds itself but which it does
  /// not make, and a device of Alice's.
  func publishDevices(of bob: Person, and alice: Person) async throws {
    guard self == .profanity else { return }
    try await bob.does("xml", input: .text(Self.publishing(Self.devices(""), "devicelist")))
    try await alice.does("xml", input: .text(Self.publishing(Self.bundle, "bundles:1")))
    try await alice.does("xml", input: .text(Self.publishing(Self.devices("<device id='1'/>"), "devicelist")))
  }

  /// Has Profanity make keys of its own for OMEMO, and fetch Alice's.
  func beginOMEMO(with alice: String, at screen: TestProcess) async throws {
    guard self == .profanity else { return }
    // Only where it is told to does it encrypt.
    try await type("/omemo policy manual", at: screen)
    try await type("/omemo trustmode blind", at: screen)
    try await type("/omemo gen", at: screen)
    try await screen.expectScreen(showing: "materials generated")
    try await type("/omemo start \(alice)", at: screen)
    try await screen.expectScreen(showing: "[OMEMO]")
    try await type("/win 1", at: screen)
    try await screen.expectScreen(showing: "Blind trust for")
    try await type("/close \(alice)", at: screen)
  }

  private static let namespace = "eu.siacs.conversations.axolotl"

  private static func devices(_ devices: String) -> String { "<list xmlns='\(namespace)'>\(devices)</list>" }

  private static func publishing(_ item: String, _ node: String) -> String {
    """
    <iq type='set'><pubsub xmlns='http://jabber.org/protocol/pubsub'><publish node='\(namespace).\(node)'><item id='current'>\(item)\
    </item></publish></pubsub></iq>
    """
  }

  /// The public half of what a client published once, signed by its key: libsignal takes no other.
  private static let bundle = """
    <bundle xmlns='\(namespace)'><signedPreKeyPublic signedPreKeyId='1'>BXPRfpQBCjODDM8iJanK/TBr1LHgi6K7vcIEkF9caNIs</signedPreKeyPublic>\
    <signedPreKeySignature>D2DK2RcfhRp2gvWSsE+2i5es0nM2rcWruFDtCEp7Z5Cq/dBurSfBIlNc+kjfX0odQCZ1T0YaavN1Oc41qcXQjQ==\
    </signedPreKeySignature><identityKey>BbZbVEsB10msHP/2JhdF/aZ+4ElXVg7QhC+bvZ3S+yo9</identityKey><prekeys>\
    <preKeyPublic preKeyId='510113'>BS7HqvekQMFinyNkh4xxDqsv9hUYinX3PDCjHxrpIQ4S</preKeyPublic></prekeys></bundle>
    """
}
