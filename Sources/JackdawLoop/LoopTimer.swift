// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// One pending timer. Releasing the last reference cancels it.
@Client package final class LoopTimer {
  private var onCancel: (@Client () -> Void)?

  /// - Parameter onCancel: takes the timer out of its clock; called at most once.
  package init(onCancel: @escaping @Client () -> Void) { self.onCancel = onCancel }

  /// The action will not run any more. Does nothing when it already ran.
  package func cancel() { onCancel.take()?() }

  isolated deinit { onCancel?() }
}
