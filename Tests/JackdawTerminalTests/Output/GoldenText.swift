// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// Output compared with a file beside the tests. `JACKDAW_RECORD=1 swift test` writes the files anew, to be read before they
/// are kept.
enum GoldenText {
  static func expect(_ text: String, named name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let path = SourceTree.path("Tests/JackdawTerminalTests/Golden/\(name).txt")
    if getenv("JACKDAW_RECORD") != nil {
      let file = try #require(fopen(path, "w"))
      defer { fclose(file) }
      fputs(text, file)
      Issue.record("recorded \(name)", sourceLocation: sourceLocation)
      return
    }
    let recorded = try #require(contents(of: path), "no \(path): record it", sourceLocation: sourceLocation)
    #expect(text == recorded, sourceLocation: sourceLocation)
  }

  private static func contents(of path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
