// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawSession
import Support

/// `Docs/XEPS.md` and `Docs/jackdaw.doap`, made from what the features and foundations declare. Here and not in the program,
/// which has no use for them.
@Client enum FeaturePages {
  /// A line of a table: a declaration, and the file to read.
  struct Entry {
    var about: FeatureDescription
    /// Relative to the repository.
    var file: String
  }

  static var features: [Entry] {
    FeatureList.all.map { type in
      // One file, or room, is named like the feature.
      let name = "Sources/JackdawSession/*/\(type).swift"
      let files = SourceTree.files(name) + SourceTree.files("Sources/JackdawSession/*/*/\(type).swift")
      return Entry(about: type.about, file: files.first ?? name)
    }.sorted { $0.about.specification < $1.about.specification }
  }

  static var foundations: [Entry] {
    FeatureList.foundations.map { Entry(about: $0.about, file: "Sources/" + $0.file) }
      .sorted { $0.about.specification < $1.about.specification }
  }

  // MARK: XEPS.md

  /// - Parameter announced: what an answer to service discovery holds.
  static func markdown(announcing announced: DiscoveryInformation) -> String {
    let identities = announced.identities.map { "`\($0.category)/\($0.type)`" + ($0.name.map { " " + $0 } ?? "") }
    return """
      # What Jackdaw speaks

      Written by the tests from what the code declares: `static let about` of each feature in
      [FeatureList.swift](../Sources/JackdawSession/Session/FeatureList.swift), and
      [Foundations.swift](../Sources/JackdawSession/Session/Foundations.swift). Programs read the same in
      [jackdaw.doap](jackdaw.doap). [ADDING-A-XEP.md](ADDING-A-XEP.md) tells how to add one.

      The version is that of the XEP that the code follows. *Partial*: something of it that would concern a client is not done.

      ## Features

      | specification | version | done | what of it | namespaces |
      |---|---|---|---|---|
      \(features.map { row($0, namespaces: true) }.joined(separator: "\n"))

      ## Foundations

      What is there in every session, or before there is one.

      | specification | version | done | what of it |
      |---|---|---|---|
      \(foundations.map { row($0, namespaces: false) }.joined(separator: "\n"))

      ## What others are told

      The answer to service discovery (XEP-0030), whose hash goes with presence (XEP-0115): \(identities.joined(separator: ", ")), and

      \(announced.features.map { "- `\($0)`" }.joined(separator: "\n"))

      """
  }

  private static func row(_ entry: Entry, namespaces: Bool) -> String {
    let about = entry.about
    var cells = [
      "[\(about.specification)](\(address(of: about.specification))) [\(about.title)](../\(entry.file))",
      about.version ?? "",
      about.isPartial ? "partial" : "complete", about.scope,
    ]
    if namespaces {
      cells.append((about.discoFeatures + about.namespaces).map { "`\($0)`" }.joined(separator: " "))
    }
    return "|" + cells.map { $0.isEmpty ? " |" : " \($0) |" }.joined()
  }

  /// Where a specification is to be read: `XEP-0199`, `RFC 6121 4`.
  static func address(of specification: String) -> String {
    if specification.hasPrefix("XEP-") {
      return "https://xmpp.org/extensions/\(specification.lowercased()).html"
    }
    let number = specification.split(separator: " ").dropFirst().first ?? ""
    // XMPP's own are kept at xmpp.org, whose list of clients looks for them there.
    return ["6120", "6121", "7590", "7622"].contains(number)
      ? "https://xmpp.org/rfcs/rfc\(number).html" : "https://www.rfc-editor.org/rfc/rfc\(number)"
  }

  // MARK: jackdaw.doap

  /// The project's description for programs (XEP-0453).
  static var doap: String {
    let all = foundations + features
    var seen: Set<String> = []
    let texts = all.map(\.about).filter { !$0.specification.hasPrefix("XEP-") }.map { address(of: $0.specification) }
      .filter { seen.insert($0).inserted }.sorted()
    let extensions = all.map(\.about).filter { $0.specification.hasPrefix("XEP-") }
      .sorted { $0.specification < $1.specification }
    return """
      <?xml version='1.0' encoding='UTF-8'?>
      <rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'
               xmlns='http://usefulinc.com/ns/doap#'
               xmlns:xmpp='https://linkmauve.fr/ns/xmpp-doap#'>
        <Project>
          <name>\(Software.own.name)</name>
          <shortdesc xml:lang='en'>An XMPP client for the terminal, scripts and the shell</shortdesc>
          <license rdf:resource='https://spdx.org/licenses/GPL-3.0-or-later'/>
          <language>en</language>
          <programming-language>Swift</programming-language>
          <os>Linux</os>
          <category rdf:resource='https://linkmauve.fr/ns/xmpp-doap#category-client'/>
      \(texts.map { "    <implements rdf:resource='\($0)'/>" }.joined(separator: "\n"))
      \(extensions.map(supported).joined(separator: "\n"))
        </Project>
      </rdf:RDF>

      """
  }

  private static func supported(_ about: FeatureDescription) -> String {
    """
        <implements>
          <xmpp:SupportedXep>
            <xmpp:xep rdf:resource='\(address(of: about.specification))'/>
            <xmpp:status>\(about.isPartial ? "partial" : "complete")</xmpp:status>
            <xmpp:version>\(about.version ?? "")</xmpp:version>
            <xmpp:note xml:lang='en'>\(escaped(about.scope))</xmpp:note>
          </xmpp:SupportedXep>
        </implements>
    """
  }

  private static func escaped(_ text: String) -> String {
    text.map { ["&": "&amp;", "<": "&lt;", ">": "&gt;"][$0] ?? String($0) }.joined()
  }
}
