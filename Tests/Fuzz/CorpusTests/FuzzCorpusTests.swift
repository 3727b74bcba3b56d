// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

@Suite struct FuzzCorpusTests {
  @Test("each file of a fuzz target's corpus keeps the target's properties", arguments: FuzzTarget.all.map(\.name))
  func corpusHolds(_ name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    let files = SourceTree.files("Tests/Fuzz/Corpus/\(name)/*")
    #expect(files.count >= 3, "a corpus of a few inputs")
    for path in files {
      var input = FuzzInput(try #require(SourceTree.bytes(path)))
      #expect(throws: Never.self, "\(path)") { try target.run(&input) }
    }
  }
}
