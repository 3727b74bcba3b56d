// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
package import JackdawProtocol

/// How a moment is written for people: in the zone of the user.
package struct LocalTime: Sendable {
  /// Fills in a calendar from seconds since 1970; `localtime_r` in the program.
  private let convert: @Sendable (inout time_t, inout tm) -> Void

  /// The zone of the process: `TZ`, or what the system is set to.
  package static let system = LocalTime { seconds, fields in localtime_r(&seconds, &fields) }
  /// Coordinated Universal Time, whatever the system is set to.
  package static let utc = LocalTime { seconds, fields in gmtime_r(&seconds, &fields) }

  private init(_ convert: @escaping @Sendable (inout time_t, inout tm) -> Void) { self.convert = convert }

  /// `14:05`, and where that is not on the day of `now`, `2026-11-20 14:05`.
  package func short(_ moment: Timestamp, now: Timestamp) -> String {
    let then = fields(moment)
    let today = fields(now)
    let clock = Self.two(then.tm_hour) + ":" + Self.two(then.tm_min)
    if then.tm_year == today.tm_year && then.tm_yday == today.tm_yday { return clock }
    let year = "\(Int(then.tm_year) + 1900)"
    return String(repeating: "0", count: max(0, 4 - year.count)) + year + "-" + Self.two(then.tm_mon + 1) + "-"
      + Self.two(then.tm_mday) + " " + clock
  }

  private func fields(_ moment: Timestamp) -> tm {
    var seconds = time_t(moment.seconds)
    var fields = tm()
    convert(&seconds, &fields)
    return fields
  }

  private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
