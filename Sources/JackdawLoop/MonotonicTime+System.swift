// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

extension MonotonicTime {
  /// The present moment, by the system. Stands still while the machine sleeps.
  static var now: MonotonicTime { MonotonicTime(reading: CLOCK_MONOTONIC) }

  /// As ``now``, but goes on while the machine sleeps.
  private static var nowWithSleep: MonotonicTime { MonotonicTime(reading: CLOCK_BOOTTIME) }

  private init(reading clock: clockid_t) {
    var time = timespec()
    clock_gettime(clock, &time)
    self.init(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// How long the machine has slept since it started. That it grew between two looks says that the machine slept, which no
  /// timer of ours noticed and every peer did.
  static var asleep: Duration { nowWithSleep - now }
}

extension EventLoop {
  /// How long the machine has been suspended since it started, to a few microseconds. When it grew by a second or more
  /// between two looks, the machine slept in between: connections are likely dead.
  @Client package var suspendedTime: Duration { MonotonicTime.asleep }
}
