// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A day of the Gregorian calendar, by arithmetic alone.
package struct CivilDate: Equatable, Sendable {
  /// 0 to 9999.
  let year: Int
  /// 1 to 12.
  let month: Int
  /// 1 to 31.
  let day: Int

  /// nil when there is no such day.
  init?(year: Int, month: Int, day: Int) {
    guard (0...9999).contains(year), (1...12).contains(month),
      (1...Self.days(inMonth: month, of: year)).contains(day)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Reads `1815-12-10` (XEP-0082 3.1, without a zone).
  package init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.map(\.count) == [4, 2, 2],
      parts.joined().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let year = Int(Substring(parts[0])), let month = Int(Substring(parts[1])), let day = Int(Substring(parts[2]))
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The day that is `days` after 1970-01-01 (before it when negative).
  ///
  /// Counts in eras of 400 years, and in years that begin in March, so that the leap day is the last one of its year.
  init(daysSince1970 days: Int) {
    let sinceMarch0000 = days + Self.march0000To1970
    let era = Self.flooredQuotient(sinceMarch0000, Self.daysOfEra)
    let dayOfEra = sinceMarch0000 - era * Self.daysOfEra
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
  }

  /// Days from 1970-01-01 to this one, negative before it.
  var daysSince1970: Int {
    let marchYear = month <= 2 ? year - 1 : year
    let era = Self.flooredQuotient(marchYear, 400)
    let yearOfEra = marchYear - era * 400
    let monthFromMarch = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * Self.daysOfEra + dayOfEra - Self.march0000To1970
  }

  /// Days of 400 years.
  private static let daysOfEra = 146_097
  /// Days from 0000-03-01 to 1970-01-01.
  private static let march0000To1970 = 719_468

  private static func flooredQuotient(_ dividend: Int, _ divisor: Int) -> Int {
    (dividend >= 0 ? dividend : dividend - divisor + 1) / divisor
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
