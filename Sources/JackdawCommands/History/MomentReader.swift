// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawProtocol

/// Moments as people type them: `14:00`, `yesterday`, `2026-11-01`, `2026-11-01 14:00`, `3d` ago.
struct MomentReader {
  let now: Timestamp
  /// Whose days and hours are meant.
  var localTime = LocalTime.system

  /// The first moment of what is meant.
  /// - Throws: ``CommandFailure`` with code 65 for what is no time.
  func start(_ text: String) throws(CommandFailure) -> Timestamp { try range(text).start }

  /// The moment behind what is meant: of a day, the next day's first.
  /// - Throws: as ``start(_:)``.
  func end(_ text: String) throws(CommandFailure) -> Timestamp { try range(text).end }

  private func range(_ text: String) throws(CommandFailure) -> (start: Timestamp, end: Timestamp) {
    // Only behind a date: "Today" has one too.
    let isDate = text.first?.isNumber == true
    let words = text.split(whereSeparator: { $0 == " " || isDate && $0 == "T" }).map(String.init)
    if let exact = Timestamp(text) { return (exact, exact) }
    switch words.count {
    case 1:
      if let moment = ago(words[0]) { return (moment, moment) }
      if let day = day(words[0]) {
        let (first, next) = (localTime.moments(day, hour: 0, minute: 0), localTime.moments(day, hour: 24, minute: 0))
        return (first.lowerBound, next.lowerBound)
      }
      if let time = timeOfDay(words[0]) { return exactly(localTime.fields(now), time) }
    case 2:
      if let day = day(words[0]), let time = timeOfDay(words[1]) { return exactly(day, time) }
    default: break
    }
    throw CommandFailure(
      .badInput, "bad-input",
      "'\(text)' is not a time. Use 14:00, yesterday, 2026-11-01, '2026-11-01 14:00', or how long ago, like 2h or 3d.")
  }

  private func exactly(_ day: tm, _ time: (hour: Int32, minute: Int32)) -> (start: Timestamp, end: Timestamp) {
    let moments = localTime.moments(day, hour: time.hour, minute: time.minute)
    return (moments.lowerBound, moments.upperBound)
  }

  /// `30m`, `2h`, `3d`, `2w`
  private func ago(_ text: String) -> Timestamp? {
    let units: [Character: Int64] = ["m": 60, "h": 3_600, "d": 86_400, "w": 604_800]
    guard let unit = text.last.flatMap({ units[$0] }), let number = Int64(text.dropLast()), number >= 0 else {
      return nil
    }
    let (milliseconds, isTooMuch) = number.multipliedReportingOverflow(by: unit * 1_000)
    return Timestamp(milliseconds: isTooMuch ? .min / 2 : now.milliseconds - min(milliseconds, .max / 2))
  }

  private func day(_ text: String) -> tm? {
    var day = localTime.fields(now)
    switch text.lowercased() {
    case "today": return day
    case "yesterday":
      day.tm_mday -= 1
      return day
    default: break
    }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int32($0) }
    guard parts.count == 3, let year = parts[0], let month = parts[1], let date = parts[2], (1...9999).contains(year),
      (1...12).contains(month), (1...31).contains(date)
    else { return nil }
    day.tm_year = year - 1900
    day.tm_mon = month - 1
    day.tm_mday = date
    // The 31st of a month of 30 days is none.
    return localTime.fields(localTime.moment(day, hour: 12, minute: 0)).tm_mday == date ? day : nil
  }

  private func timeOfDay(_ text: String) -> (hour: Int32, minute: Int32)? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int32($0) }
    guard parts.count == 2, let hour = parts[0], let minute = parts[1], (0...23).contains(hour),
      (0...59).contains(minute)
    else { return nil }
    return (hour, minute)
  }
}
