// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import Support

extension TestDirectory {
  /// As `with`, for a body on the loop.
  @Client static func onLoop(_ body: @escaping @Client (TestDirectory) async throws -> Void) async throws {
    try await TestDirectory.with { @Sendable in try await body($0) }
  }
}
