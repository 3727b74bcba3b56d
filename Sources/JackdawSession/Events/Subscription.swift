// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop

/// What a subscription to the ``EventBus`` lives by: it ends when this is cancelled or released.
@Client package final class Subscription {
  private var end: (@Client () -> Void)?

  init(end: @escaping @Client () -> Void) { self.end = end }

  /// False once it was cancelled.
  package var isActive: Bool { end != nil }

  /// The handler will not be called any more, not even with an event that is just being delivered. May be repeated.
  package func cancel() {
    let end = self.end
    self.end = nil
    end?()
  }

  isolated deinit { end?() }
}
