// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A watched descriptor. Releasing the last reference ends the watch.
///
/// The loop keeps the handler, not the watch: a handler that captures the owner of its watch strongly keeps both for ever.
@Client package final class DescriptorWatch {
  private let token: DescriptorTable.Token

  /// What is waited for; may be changed at any time (writable only while there is something to write).
  package var interest: EventLoop.Readiness {
    didSet {
      if interest != oldValue { EventLoop.main.descriptors.setInterest(interest, of: token) }
    }
  }

  init(token: DescriptorTable.Token, interest: EventLoop.Readiness) {
    self.token = token
    self.interest = interest
  }

  /// The handler is not called any more, not even for readiness that was found before. May be called twice.
  package func cancel() {
    // What the handler held may end other watches as it goes: not while the table is being changed.
    let handler = EventLoop.main.descriptors.remove(token)
    withExtendedLifetime(handler) {}
  }

  isolated deinit { cancel() }
}
