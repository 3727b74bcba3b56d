// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawTransport

/// What stands before a question to the server in the order of sending. While the server's machine takes of it the line is
/// slow and not dead. What is sent behind the question does not count: a server that hangs lets its kernel take it.
struct OutputWatch {
  private let end: Int
  private var acknowledged: Int

  /// - Parameter progress: when the question was asked, without it.
  init(before progress: OutputProgress) {
    acknowledged = progress.acknowledged
    end = progress.acknowledged + progress.waiting
  }

  /// How long ago the server's machine took something since this was last asked; nil when it took nothing, or has had all that
  /// counts.
  mutating func age(of progress: OutputProgress) -> Duration? {
    guard acknowledged < end, progress.acknowledged > acknowledged else { return nil }
    acknowledged = progress.acknowledged
    return progress.age
  }
}
