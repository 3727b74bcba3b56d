// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
package import Testing

/// A file of the repository that the program's own words are compared with, byte for byte. `JACKDAW_RECORD=1 swift test` writes
/// such files anew, to be read before they are kept.
package enum RecordedFile {
  /// Compares `text` with the file at `path`, relative to the repository; or writes it there.
  /// - Throws: when there is no such file, or none can be written.
  package static func expect(
    _ text: String, at path: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    if getenv("JACKDAW_RECORD") != nil {
      let file = try #require(
        fopen(SourceTree.path(path), "w"), "\(path) cannot be written", sourceLocation: sourceLocation)
      defer { fclose(file) }
      fputs(text, file)
      Issue.record("recorded \(path)", sourceLocation: sourceLocation)
      return
    }
    let recorded = try #require(SourceTree.text(path), "no \(path): record it", sourceLocation: sourceLocation)
    // The first line that differs says more than both texts.
    let lines = (Self.lines(text), Self.lines(recorded))
    let index = zip(lines.0, lines.1).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    let first = index ?? min(lines.0.count, lines.1.count)
    #expect(
      text == recorded,
      """
      \(path), line \(first + 1): '\(first < lines.1.count ? lines.1[first] : "")' is \
      '\(first < lines.0.count ? lines.0[first] : "")' now. JACKDAW_RECORD=1 writes the file anew.
      """, sourceLocation: sourceLocation)
  }

  private static func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }
}

extension SourceTree {
  /// The text of a file of the repository; nil where there is none.
  package static func text(_ relative: String) -> String? {
    bytes(relative).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The bytes of a file of the repository; nil where there is none.
  package static func bytes(_ relative: String) -> [UInt8]? {
    guard let file = fopen(path(relative), "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return bytes
  }

  /// The repository's files that a shell's pattern like `Docs/*.md` stands for, relative to it, sorted.
  package static func files(_ pattern: String) -> [String] {
    let base = path("")
    var found = glob_t()
    defer { globfree(&found) }
    guard glob(base + pattern, 0, nil, &found) == 0 else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }.map {
      String($0.dropFirst(base.count))
    }
  }
}
