// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A moment of the calendar: milliseconds since 1970-01-01T00:00:00Z (XEP-0082 in and out).
package struct Timestamp: Hashable, Comparable, Sendable {
  /// Since 1970-01-01T00:00:00Z, leap seconds not counted.
  package var milliseconds: Int64
  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Reads an XEP-0082 DateTime (`1969-07-21T02:56:15Z`, offsets and fractions allowed) or the legacy form of XEP-0091;
  /// nil when it is neither or outside the years 1 to 9999.
  package init?(_ text: String) {
    // A fraction may have any number of digits, but no one needs more than these.
    guard text.utf8.count <= StanzaLimits.timestampBytes else { return nil }
    var reader = Reader(Array(text.utf8))
    var legacyReader = reader
    guard let milliseconds = reader.dateTime() ?? legacyReader.legacyDateTime(),
      (Self.earliest...Self.latest).contains(milliseconds)
    else { return nil }
    self.milliseconds = milliseconds
  }

  /// This moment, or `now` when this one is yet to come: a stamp that a peer made never sorts a message into the
  /// future.
  package func clamped(notAfter now: Timestamp) -> Timestamp { min(self, now) }

  package static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

  /// 9999-12-31T23:59:59.999Z
  private static let latest: Int64 = 253_402_300_799_999
  /// 0001-01-01T00:00:00.000Z: there is no year 0 in XML Schema, whose dates these are.
  private static let earliest: Int64 = -62_135_596_800_000

  /// Seconds since 1970-01-01T00:00:00Z, rounded down; negative before.
  package var seconds: Int64 { milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000 }
}

extension Timestamp: CustomStringConvertible {
  /// RFC 3339 in UTC with milliseconds: `2026-11-21T08:00:00.000Z`. Years beyond the four digits are shown as the first
  /// or the last moment that has four.
  package var description: String {
    let milliseconds = min(max(milliseconds, Self.earliest), Self.latest)
    let days = Int(milliseconds / 86_400_000) - (milliseconds % 86_400_000 < 0 ? 1 : 0)
    let rest = Int(milliseconds - Int64(days) * 86_400_000)
    let date = CivilDate(daysSince1970: days)
    var text: [UInt8] = []
    text.reserveCapacity(24)
    func append(_ value: Int, digits: Int, then separator: Unicode.Scalar) {
      var divisor = 1
      for _ in 1..<digits { divisor *= 10 }
      while divisor > 0 {
        text.append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
        divisor /= 10
      }
      text.append(UInt8(ascii: separator))
    }
    append(date.year, digits: 4, then: "-")
    append(date.month, digits: 2, then: "-")
    append(date.day, digits: 2, then: "T")
    append(rest / 3_600_000, digits: 2, then: ":")
    append(rest / 60_000 % 60, digits: 2, then: ":")
    append(rest / 1000 % 60, digits: 2, then: ".")
    append(rest % 1000, digits: 3, then: "Z")
    return String(decoding: text, as: UTF8.self)
  }
}

/// Reads a timestamp from left to right.
private struct Reader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// `CCYY-MM-DDThh:mm:ss[.sss]TZD`
  mutating func dateTime() -> Int64? {
    guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2), skip("T"),
      let seconds = timeOfDay(), let fraction = fraction(), let offset = offset(), position == bytes.count
    else { return nil }
    return Self.milliseconds(year, month, day, seconds - offset).map { $0 + Int64(fraction) }
  }

  /// `CCYYMMDDThh:mm:ss` in UTC (XEP-0091)
  mutating func legacyDateTime() -> Int64? {
    guard let year = number(4), let month = number(2), let day = number(2), skip("T"), let seconds = timeOfDay(),
      position == bytes.count
    else { return nil }
    return Self.milliseconds(year, month, day, seconds)
  }

  private static func milliseconds(_ year: Int, _ month: Int, _ day: Int, _ seconds: Int) -> Int64? {
    CivilDate(year: year, month: month, day: day).map { Int64($0.daysSince1970 * 86_400 + seconds) * 1000 }
  }

  /// Seconds since midnight; a leap second counts as the next minute's first one (RFC 3339 5.7).
  private mutating func timeOfDay() -> Int? {
    guard let hour = number(2), hour < 24, skip(":"), let minute = number(2), minute < 60, skip(":"),
      let second = number(2), second <= 60
    else { return nil }
    return (hour * 60 + minute) * 60 + second
  }

  /// Milliseconds of `.sss…`, further digits dropped; 0 without a point; nil for a point without digits.
  private mutating func fraction() -> Int? {
    guard skip(".") else { return 0 }
    var milliseconds = 0
    var weight = 100
    let start = position
    while let digit = digit() {
      milliseconds += digit * weight
      weight /= 10
    }
    return position > start ? milliseconds : nil
  }

  /// Seconds by which the text's zone is ahead of UTC.
  private mutating func offset() -> Int? {
    if skip("Z") { return 0 }
    let isAhead = skip("+")
    guard isAhead || skip("-"), let hours = number(2), hours < 24, skip(":"), let minutes = number(2), minutes < 60
    else { return nil }
    return (hours * 60 + minutes) * (isAhead ? 60 : -60)
  }

  private mutating func number(_ digits: Int) -> Int? {
    var value = 0
    for _ in 0..<digits {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  private mutating func digit() -> Int? {
    guard position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) else { return nil }
    defer { position += 1 }
    return Int(bytes[position] - UInt8(ascii: "0"))
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }
}
