// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A watched signal. Releasing the last reference ends the watch and, if it is the signal's last, gives the signal its
/// old action back.
@Client package final class SignalWatch {
  private let signal: Int32
  private let id: UInt64

  init(signal: Int32, id: UInt64) {
    self.signal = signal
    self.id = id
  }

  /// The handler is not called any more. May be called twice.
  package func cancel() {
    let handler = EventLoop.main.signals.remove(id, of: signal)
    withExtendedLifetime(handler) {}
  }

  isolated deinit { cancel() }
}
