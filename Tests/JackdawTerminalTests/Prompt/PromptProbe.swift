// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support

/// The prompt in a pseudo-terminal, typed at as people do. What the delegate is told is printed by the probe.
enum PromptProbe {
  static let program =
    SourceTree.built("prompt-probe")

  static func with(
    history: String? = nil, environment: [String: String] = [:], columns: Int = 80,
    kind: TestProcess.Invocation.Size.Kind = .silent, joinsEmoji: Bool = false,
    _ body: (TestProcess) async throws -> Void
  ) async throws {
    let invocation = TestProcess.Invocation(
      program, history.map { [$0] } ?? [], environment: environment,
      terminal: .init(columns: columns, rows: 24, kind: kind, joinsEmoji: joinsEmoji))
    try await TestProcess.withProcess(invocation) { process in
      try await process.expectScreen("the prompt") { $0.cursorLine.hasPrefix("Bob>") }
      try await body(process)
    }
  }
}

extension TestProcess {
  /// Types, and waits until the line being typed reads so.
  func type(_ keys: String, giving line: String) async throws {
    send(keys)
    try await expectScreen("the line '\(line)'") { $0.cursorLine == line }
  }
}
