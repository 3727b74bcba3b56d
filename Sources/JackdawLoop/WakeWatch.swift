// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CTimerFD
import Glibc

/// Hears of the program's waking up. Releasing the last reference ends the watch.
@Client package final class WakeWatch {
  private var onEnd: (@Client () -> Void)?

  /// - Parameter onEnd: ends the watch; called once.
  package init(onEnd: @escaping @Client () -> Void) { self.onEnd = onEnd }

  isolated deinit { onEnd?() }
}

extension EventLoop {
  /// See ``LoopClock/onWake(_:)``. Costs one descriptor, and no turn of the loop until something happens.
  @Client package func onWake(_ action: @escaping @Client () -> Void) -> WakeWatch {
    let continued = onSignal(SIGCONT, action)
    let timer = Self.timerOfClockChanges()
    let changed = timer.map { timer in
      watch(timer, .readable) { _ in
        var count: UInt64 = 0
        // ECANCELED says that the clock was set, and arms the timer for the next time.
        if read(timer, &count, MemoryLayout.size(ofValue: count)) < 0, errno == EAGAIN { return }
        action()
      }
    }
    return WakeWatch {
      continued.cancel()
      changed?.cancel()
      if let timer { close(timer) }
    }
  }

  /// A timer that is never due, and that becomes readable when the time of day leaps: the kernel sets it after every sleep of
  /// the machine (timerfd_create(2), `TFD_TIMER_CANCEL_ON_SET`). Nil where there is no such thing.
  private static func timerOfClockChanges() -> Int32? {
    let timer = timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
    guard timer >= 0 else { return nil }
    var never = itimerspec()
    never.it_value.tv_sec = .max
    let flags = Int32(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)
    guard timerfd_settime(timer, flags, &never, nil) == 0 else {
      close(timer)
      return nil
    }
    return timer
  }
}
