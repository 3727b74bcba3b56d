// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
package import JackdawProtocol

/// How a moment is written for people: in the zone of the user.
package struct LocalTime: Sendable {
  /// Fills in a calendar from seconds since 1970; `localtime_r` in the program.
  private let convert: @Sendable (inout time_t, inout tm) -> Void
  /// Seconds since 1970 of a calendar's fields, whose numbers may be too large; `mktime` in the program.
  private let count: @Sendable (inout tm) -> time_t

  /// - Parameters:
  ///   - convert: fills in a calendar from seconds since 1970.
  ///   - count: the other way round.
  init(
    convert: @escaping @Sendable (inout time_t, inout tm) -> Void, count: @escaping @Sendable (inout tm) -> time_t
  ) {
    self.convert = convert
    self.count = count
  }

  /// The zone of the process: `TZ`, or what the system is set to.
  package static let system = LocalTime(
    convert: { seconds, fields in localtime_r(&seconds, &fields) }, count: { mktime(&$0) })
  /// Coordinated Universal Time, whatever the system is set to.
  package static let utc = LocalTime(
    convert: { seconds, fields in gmtime_r(&seconds, &fields) }, count: { timegm(&$0) })

  /// `14:05`, and where that is not on the day of `now`, `2026-11-20 14:05`.
  package func short(_ moment: Timestamp, now: Timestamp) -> String {
    let then = fields(moment)
    let today = fields(now)
    let clock = Self.clock(then)
    if then.tm_year == today.tm_year && then.tm_yday == today.tm_yday { return clock }
    return Self.date(then) + " " + clock
  }

  /// `14:05` on the day of `now`, `Tuesday 14:05` within the six days before it, else `2026-11-20 14:05`.
  package func recent(_ moment: Timestamp, now: Timestamp) -> String {
    let then = fields(moment)
    let today = self.moment(fields(now), hour: 0, minute: 0)
    // By calendar days, of which some are an hour longer or shorter.
    var first = fields(now)
    first.tm_mday -= 6
    guard moment < today, moment >= self.moment(first, hour: 0, minute: 0) else { return short(moment, now: now) }
    return Self.weekdays[Int(then.tm_wday)] + " " + Self.clock(then)
  }

  /// `14:05`, whatever the day.
  package func clock(_ moment: Timestamp) -> String { Self.clock(fields(moment)) }

  /// `2026-11-20 14:05`
  package func long(_ moment: Timestamp) -> String {
    let fields = fields(moment)
    return Self.date(fields) + " " + Self.clock(fields)
  }

  /// `Friday, 20 November 2026`: at most 28 columns as long as years have four digits.
  package func day(_ moment: Timestamp) -> String {
    let fields = fields(moment)
    return Self.weekdays[Int(fields.tm_wday)] + ", \(fields.tm_mday) " + Self.months[Int(fields.tm_mon)]
      + " \(Int(fields.tm_year) + 1900)"
  }

  private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  private static func clock(_ fields: tm) -> String { two(fields.tm_hour) + ":" + two(fields.tm_min) }

  private static func date(_ fields: tm) -> String {
    let year = "\(Int(fields.tm_year) + 1900)"
    return String(repeating: "0", count: max(0, 4 - year.count)) + year + "-" + two(fields.tm_mon + 1) + "-"
      + two(fields.tm_mday)
  }

  /// The moment when a day's clock shows that.
  /// - Parameters:
  ///   - day: of its fields only year, month and day count; a day beyond the month's last is one of the next month.
  ///   - hour: 24 is the next day's first.
  func moment(_ day: tm, hour: Int32, minute: Int32) -> Timestamp {
    var fields = tm()
    (fields.tm_year, fields.tm_mon, fields.tm_mday) = (day.tm_year, day.tm_mon, day.tm_mday)
    (fields.tm_hour, fields.tm_min) = (hour, minute)
    // Summer time or not: as it was then.
    fields.tm_isdst = -1
    return Timestamp(milliseconds: Int64(count(&fields)) * 1_000)
  }

  /// The first and the last moment when it shows that: as summer time ends it shows an hour twice, and ``moment(_:hour:minute:)`` is either.
  func moments(_ day: tm, hour: Int32, minute: Int32) -> ClosedRange<Timestamp> {
    let moment = moment(day, hour: hour, minute: minute)
    let shown = fields(moment)
    // Lord Howe Island puts its clocks back by half an hour.
    let alike = [-3_600_000, -1_800_000, 1_800_000, 3_600_000].map {
      Timestamp(milliseconds: moment.milliseconds + $0)
    }
    .filter {
      let other = fields($0)
      return other.tm_year == shown.tm_year && other.tm_yday == shown.tm_yday && other.tm_hour == shown.tm_hour
        && other.tm_min == shown.tm_min
    }
    return min(alike.first ?? moment, moment)...max(alike.last ?? moment, moment)
  }

  func fields(_ moment: Timestamp) -> tm {
    var seconds = time_t(moment.seconds)
    var fields = tm()
    convert(&seconds, &fields)
    return fields
  }

  private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
