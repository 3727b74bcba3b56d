// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Output compared with a file beside the tests.
enum GoldenText {
  static func expect(_ text: String, named name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try RecordedFile.expect(text, at: "Tests/JackdawTerminalTests/Golden/\(name).txt", sourceLocation: sourceLocation)
  }
}
