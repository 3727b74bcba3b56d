// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawTransport

/// Notices what a connection may not outlast, and what may help one that is waited for: the machine slept, the process was stopped, an
/// address of this machine came or went.
@Client final class SurroundingsWatch {
  private let clock: any LoopClock
  private var clockJump = ConnectionKeeper.ClockJump()
  private var wakeWatch: WakeWatch?
  private var addressWatch: AddressWatch?

  init(clock: any LoopClock) { self.clock = clock }

  /// Begins to watch; once is enough.
  /// - Parameters:
  ///   - mayUseAddresses: whether an address that came is of any use: a connection does not need one, one that is waited for may.
  ///   - changed: called for each change that concerns a connection.
  func begin(
    _ connector: any Connecting, mayUseAddresses: @escaping @Client () -> Bool, changed: @escaping @Client () -> Void
  ) {
    guard wakeWatch == nil else { return }
    _ = hasSlept()
    wakeWatch = clock.onWake { [weak self] in
      _ = self?.hasSlept()
      changed()
    }
    addressWatch = connector.onAddressChange { [weak self] change in
      guard change == .gone || mayUseAddresses() else { return }
      _ = self?.hasSlept()
      changed()
    }
  }

  /// Whether the machine has slept since this was last asked, or since it was told of. Where nobody tells of a sleep this finds it out.
  func hasSlept() -> Bool { clockJump.noted(clock.suspendedTime) }

  /// Tells of nothing any more.
  func end() { (wakeWatch, addressWatch) = (nil, nil) }
}
