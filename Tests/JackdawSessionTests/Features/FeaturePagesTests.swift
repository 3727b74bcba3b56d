// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

/// What is said of the features is what the features say.
@Client @Suite(.onLoop) struct FeaturePagesTests {
  @Test("The list for people agrees with the code and with service discovery")
  func theListForPeopleIsThatOfTheCodeAndOfServiceDiscovery() async throws {
    let fixture = try SessionFixture()
    try await fixture.settleIn()
    let answer = try await fixture.ask("<query xmlns='http://jabber.org/protocol/disco#info'/>", from: "example.org")
    let announced = try DiscoveryInformation(try #require(answer.payload))
    for about in FeatureList.all.map({ $0.about }) {
      #expect(Set(about.discoFeatures).isSubset(of: announced.features), "\(about.specification)")
      #expect(Set(about.namespaces).isDisjoint(with: announced.features), "\(about.specification)")
    }
    try RecordedFile.expect(FeaturePages.markdown(announcing: announced), at: "Docs/XEPS.md")
  }

  @Test("The DOAP file agrees with the code") func theListForProgramsIsThatOfTheCode() throws {
    try RecordedFile.expect(FeaturePages.doap, at: "Docs/jackdaw.doap")
  }

  @Test("Every declaration of a specification is complete") func everyDeclarationIsWhole() {
    var seen: Set<String> = []
    for entry in FeaturePages.features + FeaturePages.foundations {
      let about = entry.about
      #expect(seen.insert(about.specification).inserted, "\(about.specification) is declared twice")
      #expect(about.specification.wholeMatch(of: /XEP-\d{4}|RFC \d{4}( \d(–\d)?)?/) != nil, "\(about.specification)")
      #expect((about.version != nil) == about.specification.hasPrefix("XEP-"), "\(about.specification) and its version")
      #expect(!about.title.isEmpty && !about.scope.isEmpty && !about.scope.contains("|") && !about.scope.hasSuffix("."))
      let name = about.specification.split(separator: " ").prefix(2).joined(separator: " ")
      #expect(SourceTree.text(entry.file)?.contains(name) == true, "\(entry.file) does not name \(name)")
    }
    for entry in FeaturePages.features where entry.about.specification.hasPrefix("XEP-") {
      let about = entry.about
      #expect(!(about.discoFeatures + about.namespaces).isEmpty, "\(about.specification) declares no namespaces")
    }
  }

  @Test("The DOAP file has the form of XEP-0453") func theDOAPFileIsOneOfXEP0453() throws {
    let doap = "http://usefulinc.com/ns/doap#"
    let xmpp = "https://linkmauve.fr/ns/xmpp-doap#"
    let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    let (declaration, text) = try #require(FeaturePages.doap.split(separator: "\n", maxSplits: 1).map(String.init).pair)
    #expect(declaration == "<?xml version='1.0' encoding='UTF-8'?>")
    func resource(of element: Element?) -> String? {
      element?.attributes.first { $0.name == "resource" && $0.namespace == rdf }?.value
    }
    let root = try Element(parsing: text)
    #expect(root.matches("RDF", rdf))
    let project = try #require(root.child("Project", doap))
    for name in ["name", "shortdesc", "license", "os", "programming-language", "category"] {
      #expect(project.child(name, doap) != nil, "\(name)")
    }
    let implemented = project.children.filter { $0.matches("implements", doap) }
    let supported = implemented.compactMap { $0.child("SupportedXep", xmpp) }
    #expect(supported.count > 20)
    for xep in supported {
      let address = resource(of: xep.child("xep", xmpp)) ?? ""
      #expect(address.wholeMatch(of: /https:\/\/xmpp\.org\/extensions\/xep-\d{4}\.html/) != nil, "\(address)")
      #expect(["complete", "partial"].contains(xep.text(of: "status", xmpp)), "\(address)")
      #expect(xep.text(of: "version", xmpp)?.isEmpty == false, "\(address)")
    }
    let texts = implemented.compactMap { resource(of: $0) }
    #expect(texts.contains("https://xmpp.org/rfcs/rfc6121.html") && Set(texts).count == texts.count)
  }
}

extension [String] {
  fileprivate var pair: (String, String)? { count == 2 ? (self[0], self[1]) : nil }
}
