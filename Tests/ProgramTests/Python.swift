// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Runs a program in Python, which must end well.
/// - Returns: what it printed.
@discardableResult
func python(_ program: String, _ arguments: String...) async throws -> String {
  let outcome = try await TestProcess.run(.init(SourceTree.python, ["-c", program] + arguments))
  #expect(outcome.ending == .exited(0), "\(outcome.errors)")
  return outcome.output
}
