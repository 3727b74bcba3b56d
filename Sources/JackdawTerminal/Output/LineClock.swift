// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawLoop
import JackdawProtocol

/// The time that lines are of, as they write it: once a minute that is made anew.
@Client final class LineClock {
  let localTime: LocalTime
  private let wallClock: @Client () -> Timestamp
  private var face: (minute: Int64, text: String, day: String) = (.min, "", "")

  init(_ wallClock: @escaping @Client () -> Timestamp, _ localTime: LocalTime) {
    self.wallClock = wallClock
    self.localTime = localTime
  }

  /// The time, and how it and its day are written.
  func read() -> (time: Timestamp, text: String, day: String) {
    let now = wallClock()
    let minute = now.milliseconds / 60_000
    if minute != face.minute { face = (minute, localTime.short(now, now: now), localTime.day(now)) }
    return (now, face.text, face.day)
  }
}
