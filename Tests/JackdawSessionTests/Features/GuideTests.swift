// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Docs/ADDING-A-XEP.md shows the code as it is.
@Suite struct GuideTests {
  /// A block of code, and the file that was named last before it.
  struct Quotation {
    var file: String
    /// Lines that stand together in the file.
    var parts: [String]
  }

  private static let page = "Docs/ADDING-A-XEP.md"
  private static let elision = "// …"

  static func quotations(in text: String) -> [Quotation] {
    var file = ""
    var block: [Substring]?
    var found: [Quotation] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        if let lines = block {
          let parts = lines.split { $0 == elision }.map { $0.joined(separator: "\n") + "\n" }
          found.append(Quotation(file: file, parts: parts))
        }
        block = block == nil ? [] : nil
      } else if block != nil {
        block?.append(line)
      } else if let link = line.matches(of: /\]\(\.\.\/([^)]+\.swift)\)/).last {
        file = String(link.output.1)
      }
    }
    return found
  }

  @Test("Every code block of the guide stands in the file that it names") func everyBlockStandsInItsFile() throws {
    let quotations = Self.quotations(in: try #require(SourceTree.text(Self.page)))
    #expect(quotations.count >= 9)
    for quotation in quotations {
      let source = try #require(SourceTree.text(quotation.file), "\(quotation.file) is not there")
      var rest = source[...]
      for part in quotation.parts {
        // At the start of a line, and in the order of the page.
        let place = try #require(rest.firstRange(of: part), "not in \(quotation.file):\n\(part)")
        #expect(place.lowerBound == source.startIndex || source[source.index(before: place.lowerBound)] == "\n")
        rest = rest[place.upperBound...]
      }
    }
  }

  @Test("A block that does not stand in its file is found") func aBlockThatIsNotThereIsSeen() {
    let text = "See [a](../x/A.swift) and [b](../x/B.swift):\n\n```swift\none\ntwo\n// …\nthree\n```\n"
    let quotations = Self.quotations(in: text)
    #expect(quotations.map(\.file) == ["x/B.swift"])
    #expect(quotations.first?.parts == ["one\ntwo\n", "three\n"])
  }
}
