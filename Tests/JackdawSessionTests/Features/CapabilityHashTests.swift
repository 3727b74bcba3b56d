// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML
import Testing

@testable import JackdawSession

/// XEP-0115 5: what is hashed, and what is not believed.
@Suite struct CapabilityHashTests {
  static let simple = DiscoveryInformation(
    identities: [.init(category: "client", type: "pc", name: "Exodus 0.9.1")],
    features: [
      "http://jabber.org/protocol/muc", "http://jabber.org/protocol/disco#info",
      "http://jabber.org/protocol/caps", "http://jabber.org/protocol/disco#items",
    ])

  static let software = DataForm(
    kind: .result,
    fields: [
      .init("software_version", values: ["0.11"]), .init("software", values: ["Psi"]),
      .init("FORM_TYPE", .hidden, values: ["urn:xmpp:dataforms:softwareinfo"]), .init("os", values: ["Mac"]),
      .init("ip_version", .textMulti, values: ["ipv6", "ipv4"]), .init("os_version", values: ["10.5.1"]),
    ])

  /// 5.3, its parts in no order.
  static let complex = DiscoveryInformation(
    identities: [
      .init(category: "client", type: "pc", name: "Psi 0.11", language: "en"),
      .init(category: "client", type: "pc", name: "Ψ 0.11", language: "el"),
    ],
    features: simple.features, forms: [software])

  @Test("The simple example of XEP-0115 has its hash") func theSimpleExample() {
    #expect(CapabilityHash(of: Self.simple)?.ver == "QgayPKawpkPSDYmwT/WM94uAlu0=")
  }

  @Test("The complex example of XEP-0115 has its hash") func theComplexExample() {
    #expect(CapabilityHash(of: Self.complex)?.ver == "q07IKJEyjvHSyhy//CH0CxmKi8w=")
  }

  @Test("The complex example matches its hash as it is sent") func theComplexExampleAsItIsSent() throws {
    let xml = """
      <query xmlns='http://jabber.org/protocol/disco#info' node='http://psi-im.org#q07IKJEyjvHSyhy//CH0CxmKi8w='>
        <identity xml:lang='en' category='client' name='Psi 0.11' type='pc'/>
        <identity xml:lang='el' category='client' name='&#936; 0.11' type='pc'/>
        <feature var='http://jabber.org/protocol/caps'/>
        <feature var='http://jabber.org/protocol/disco#info'/>
        <feature var='http://jabber.org/protocol/disco#items'/>
        <feature var='http://jabber.org/protocol/muc'/>
        <x xmlns='jabber:x:data' type='result'>
          <field var='FORM_TYPE' type='hidden'><value>urn:xmpp:dataforms:softwareinfo</value></field>
          <field var='ip_version' type='text-multi' ><value>ipv4</value><value>ipv6</value></field>
          <field var='os'><value>Mac</value></field>
          <field var='os_version'><value>10.5.1</value></field>
          <field var='software'><value>Psi</value></field>
          <field var='software_version'><value>0.11</value></field>
        </x>
      </query>
      """
    let hash = try #require(CapabilityHash(.sha1, ver: "q07IKJEyjvHSyhy//CH0CxmKi8w="))
    #expect(hash.isTrue(of: try DiscoveryInformation(Element(parsing: xml))))
  }

  @Test("Hashes of every algorithm are verified", arguments: CapabilityHash.Algorithm.allCases)
  func everyHashIsVerified(_ algorithm: CapabilityHash.Algorithm) throws {
    let hash = try #require(CapabilityHash(of: Self.complex, algorithm))
    #expect(hash.isTrue(of: Self.complex))
    #expect(CapabilityHash(algorithm, ver: hash.ver) == hash)
    var other = Self.complex
    other.features.append("urn:xmpp:more")
    #expect(!hash.isTrue(of: other))
  }

  /// Sorting is by bytes. In Swift's order of strings e with an accent comes after f, however it is written.
  @Test("Parts are sorted by their bytes") func partsAreSortedByTheirBytes() {
    let information = DiscoveryInformation(
      identities: [.init(category: "client", type: "pc")], features: ["urn:f", "urn:e\u{301}", "urn:Z"])
    #expect(CapabilityHash(of: information)?.ver == "Mb2EHSuIvtEaRPYm4nWeskho4iQ=")
  }

  // MARK: Ill-formed (5.4)

  static func changed(_ change: (inout DiscoveryInformation) -> Void) -> DiscoveryInformation {
    var information = complex
    change(&information)
    return information
  }

  static let illFormed: [(String, DiscoveryInformation)] = [
    ("an identity twice", changed { $0.identities.append($0.identities[0]) }),
    ("a feature twice", changed { $0.features.append($0.features[0]) }),
    ("two forms of one type", changed { $0.forms.append($0.forms[0]) }),
    (
      "two forms of one type with other fields",
      changed {
        $0.forms.append(
          DataForm(
            kind: .result, fields: [.init("FORM_TYPE", .hidden, values: [$0.forms[0].formType ?? ""]), .init("x")]))
      }
    ),
    ("a type of two values", changed { $0.forms[0].fields[2].values.append("other") }),
  ]

  @Test("An ill-formed answer matches no hash", arguments: illFormed)
  func anIllFormedAnswerHasNoHash(_ what: String, _ information: DiscoveryInformation) throws {
    #expect(CapabilityHash(of: information) == nil)
    let hash = try #require(CapabilityHash(of: Self.complex))
    #expect(!hash.isTrue(of: information))
  }

  static let ignoredForms: [(String, DataForm)] = [
    ("no type", DataForm(kind: .result, fields: [.init("a", values: ["b"])])),
    ("a type that is not hidden", DataForm(kind: .result, fields: [.init("FORM_TYPE", values: ["t"]), .init("a")])),
    ("a type without value", DataForm(kind: .result, fields: [.init("FORM_TYPE", .hidden), .init("a")])),
  ]

  @Test("A form without a proper type is left out of the hash", arguments: ignoredForms)
  func aFormWithoutProperTypeIsLeftOut(_ what: String, _ form: DataForm) throws {
    let hash = try #require(CapabilityHash(of: Self.complex))
    #expect(hash.isTrue(of: Self.changed { $0.forms.append(form) }))
  }

  // MARK: Poisoning: the same text, other parts

  /// Each of these has exactly the hash of the truth, and says something else.
  static let disguises: [(String, truth: DiscoveryInformation, lie: DiscoveryInformation)] = [
    (
      "an identity as a feature", simple,
      DiscoveryInformation(features: ["client/pc//Exodus 0.9.1"] + simple.features)
    ),
    (
      "one identity of two as a feature", changed { $0.forms = [] },
      DiscoveryInformation(
        identities: [complex.identities[1]], features: ["client/pc/en/Psi 0.11"] + simple.features)
    ),
    (
      "a feature within a name", simple,
      DiscoveryInformation(
        identities: [.init(category: "client", type: "pc", name: "Exodus 0.9.1<http://jabber.org/protocol/caps")],
        features: Array(simple.features.filter { !$0.hasSuffix("caps") }))
    ),
    (
      "two features within one", simple,
      DiscoveryInformation(
        identities: simple.identities,
        features: [
          "http://jabber.org/protocol/caps<http://jabber.org/protocol/disco#info",
          "http://jabber.org/protocol/disco#items", "http://jabber.org/protocol/muc",
        ])
    ),
    (
      "a type with a slash", changed { $0.forms = [] },
      DiscoveryInformation(
        identities: [
          .init(category: "client", type: "pc/en", name: "", language: "Psi 0.11"), complex.identities[1],
        ], features: simple.features)
    ),
    (
      "features hidden in a form", simple,
      DiscoveryInformation(
        identities: simple.identities, features: Array(simple.features.sorted().prefix(2)),
        forms: [
          DataForm(
            kind: .result,
            fields: [
              .init("FORM_TYPE", .hidden, values: ["http://jabber.org/protocol/disco#items"]),
              .init("http://jabber.org/protocol/muc"),
            ])
        ])
    ),
    (
      "the last feature as a form", simple,
      DiscoveryInformation(
        identities: simple.identities, features: Array(simple.features.sorted().prefix(3)),
        forms: [
          DataForm(
            kind: .result, fields: [.init("FORM_TYPE", .hidden, values: ["http://jabber.org/protocol/muc"])])
        ])
    ),
  ]

  @Test("Caps poisoning: another answer that makes the same text does not match", arguments: disguises.indices)
  func capsPoisoningByAnotherAnswerOfTheSameText(_ index: Int) throws {
    let (what, truth, lie) = Self.disguises[index]
    let hash = try #require(CapabilityHash(of: truth))
    #expect(hash.isTrue(of: truth))
    #expect(!hash.isTrue(of: lie), "\(what)")
    // All but the slash, which sorts elsewhere, would have got through by the hash alone.
    if what != "a type with a slash" { #expect(CapabilityHash(of: lie) == hash, "\(what)") }
  }

  // MARK: What is announced

  @Test(
    "A malformed hash is refused",
    arguments: [
      "", "QgayPKawpkPSDYmwT/WM94uAlu", "QgayPKawpkPSDYmwT/WM94uAlu0=QQ", "not base64!", "1.2.3",
      String(repeating: "A", count: 100_000), "QgayPKawpkPSDYmwT/WM94uAlu0= ",
    ])
  func whatIsNoHashIsRefused(_ ver: String) {
    #expect(CapabilityHash(.sha1, ver: ver) == nil)
  }

  @Test("An announcement is read and written") func anAnnouncementIsReadAndWritten() throws {
    let xml =
      "<c xmlns='http://jabber.org/protocol/caps' hash='sha-1' node='http://psi-im.org' ver='q07IKJEyjvHSyhy//CH0CxmKi8w='/>"
    let capabilities = try #require(Capabilities(try Element(parsing: xml)))
    #expect(capabilities.node == "http://psi-im.org")
    #expect(capabilities.hash == CapabilityHash(of: Self.complex))
    #expect(capabilities.discoveryNode == "http://psi-im.org#q07IKJEyjvHSyhy//CH0CxmKi8w=")
    #expect(capabilities.element == (try Element(parsing: xml)))
  }

  @Test(
    "An announcement that cannot be verified is ignored",
    arguments: [
      "node='n' ver='q07IKJEyjvHSyhy//CH0CxmKi8w='", "hash='md5' node='n' ver='q07IKJEyjvHSyhy//CH0CxmKi8w='",
      "hash='sha-256' node='n' ver='q07IKJEyjvHSyhy//CH0CxmKi8w='", "hash='sha-1' node='n'",
      "hash='sha-1' ver='q07IKJEyjvHSyhy//CH0CxmKi8w='", "hash='sha-1' node='' ver='q07IKJEyjvHSyhy//CH0CxmKi8w='",
      "hash='sha-1' node='n' ver='0.9'",
      "hash='sha-1' node='\(String(repeating: "n", count: 2_000))' ver='q07IKJEyjvHSyhy//CH0CxmKi8w='",
    ])
  func anAnnouncementThatCannotBeVerifiedIsIgnored(_ attributes: String) throws {
    #expect(Capabilities(try Element(parsing: "<c xmlns='http://jabber.org/protocol/caps' \(attributes)/>")) == nil)
  }
}
