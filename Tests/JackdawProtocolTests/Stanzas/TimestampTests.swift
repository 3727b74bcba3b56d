// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import Support
import Testing

@Suite struct TimestampTests {
  /// The milliseconds are from GNU date.
  @Test(
    "A timestamp is read, in each of its forms",
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.001Z", 1), ("2002-09-10T23:08:25Z", 1_031_699_305_000),
      ("20020910T23:08:25", 1_031_699_305_000), ("2026-11-21T08:00:00.000Z", 1_795_248_000_000),
      ("2026-11-21T09:30:00+01:30", 1_795_248_000_000), ("2026-11-21T03:00:00-05:00", 1_795_248_000_000),
      ("2026-11-21T08:00:00.1Z", 1_795_248_000_100), ("2026-11-21T08:00:00.12Z", 1_795_248_000_120),
      ("2026-11-21T08:00:00.123999999999Z", 1_795_248_000_123), ("2000-02-29T00:00:00Z", 951_782_400_000),
      ("2100-03-01T00:00:00Z", 4_107_542_400_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
      ("1970-01-01T00:00:00-00:01", 60_000), ("2016-12-31T23:59:60Z", 1_483_228_800_000),
      ("19700101T00:00:00", 0), ("1969-12-31T23:59:59.999Z", -1), ("1969-12-31T23:59:59Z", -1_000),
      ("1970-01-01T00:00:00+00:01", -60_000), ("1969-07-21T02:56:15Z", -14_159_025_000),
      ("19690721T02:56:15", -14_159_025_000), ("1900-03-01T00:00:00.25Z", -2_203_891_199_750),
      ("0001-01-01T00:00:00Z", -62_135_596_800_000), ("9999-12-31T22:59:59-01:00", 253_402_300_799_000),
    ])
  func timestampIsRead(_ text: String, _ milliseconds: Int64) throws {
    let stamp = try #require(Timestamp(text))
    #expect(stamp.milliseconds == milliseconds)
    #expect(Timestamp(stamp.description) == stamp)
  }

  /// Impossible stamps of a delay (XEP-0203 and XEP-0082; CVE-2013-6477 is a crash by such a stamp).
  @Test(
    "An impossible timestamp (XEP-0082) is refused",
    arguments: [
      "", " ", "now", "2026", "2026-11-21", "2026-11-21T08:00:00", "2026-11-21 08:00:00Z", "2026-11-21T08:00:00z",
      "2026-11-21T08:00:00ZZ", "2026-11-21T08:00:00Z ", " 2026-11-21T08:00:00Z", "2026-11-21T8:00:00Z",
      "2026-11-21T08:00Z", "2026-11-21T24:00:00Z", "2026-11-21T08:60:00Z", "2026-11-21T08:00:61Z",
      "2026-13-01T00:00:00Z",
      "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z", "2026-04-31T00:00:00Z",
      "2026-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2026-11-21T08:00:00.Z", "2026-11-21T08:00:00+1:00",
      "2026-11-21T08:00:00+0100", "2026-11-21T08:00:00+24:00", "2026-11-21T08:00:00+01:60",
      "2026-11-21T08:00:00+01:00Z",
      "-2026-11-21T08:00:00Z", "+2026-11-21T08:00:00Z", "12026-11-21T08:00:00Z", "0000-12-31T23:59:59.999Z",
      "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "9999-12-31T23:59:60Z", "0000-01-01T00:00:00Z",
      "20261121T08:00:00Z", "20261121T080000", "20261321T08:00:00", "2026-11-21T08:00:0\u{661}Z",
      "2026-11-21T08:00:00.\(String(repeating: "9", count: 10_000))Z", String(repeating: "2", count: 10_000),
    ])
  func delayWithAnImpossibleStampIsNone(_ text: String) {
    #expect(Timestamp(text) == nil)
  }

  @Test("A timestamp in the future is clamped to now") func forgedFutureIsClamped() throws {
    let now = Timestamp(milliseconds: 1_795_248_000_000)
    #expect(try #require(Timestamp("9999-12-31T23:59:59Z")).clamped(notAfter: now) == now)
    let earlier = Timestamp(milliseconds: 1)
    #expect(earlier.clamped(notAfter: now) == earlier)
  }

  @Test(
    "Any number of milliseconds can be written",
    arguments: [
      (Int64.min, "0001-01-01T00:00:00.000Z"), (Int64.max, "9999-12-31T23:59:59.999Z"),
      (-1, "1969-12-31T23:59:59.999Z"),
      (-86_400_000, "1969-12-31T00:00:00.000Z"), (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
      (-62_135_596_800_001, "0001-01-01T00:00:00.000Z"), (-86_400_001, "1969-12-30T23:59:59.999Z"),
      (951_782_399_999, "2000-02-28T23:59:59.999Z"), (1_795_248_000_007, "2026-11-21T08:00:00.007Z"),
    ])
  func anyNumberOfMillisecondsCanBeWritten(_ milliseconds: Int64, _ text: String) {
    #expect(Timestamp(milliseconds: milliseconds).description == text)
  }

  /// Of each day of the calendar's 400 years at least one, from the year 1 to 9999.
  @Test("Every day is the same when it is written and read again") func everyDayComesBackAsItself() {
    for day in stride(from: Int64(-719_162), to: 2_932_897, by: 23) {
      let stamp = Timestamp(milliseconds: day * 86_400_000 + 45_296_789)
      #expect(Timestamp(stamp.description) == stamp)
    }
  }

  @Test("the seconds of a moment are those that have begun, before 1970 as well")
  func seconds() {
    let seconds = [-1_001, -1_000, -999, -1, 0, 999, 1_000].map { Timestamp(milliseconds: $0).seconds }
    #expect(seconds == [-2, -1, -1, -1, 0, 0, 1])
  }

  @Test("No sequence of characters crashes the reader of timestamps") func noSequenceOfCharactersCrashesTheReader() {
    let alphabet = Array("0123456789-:TZ+. \u{661}x".unicodeScalars)
    let template = Array("2026-11-21T08:00:00.123+01:00".unicodeScalars)
    var random = SplitMix(seed: 82)
    for _ in 0..<20_000 {
      var text = template
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let place = Int.random(in: 0..<text.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: text[place] = alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
        case 1: text.remove(at: place)
        default: text.removeSubrange(place...)
        }
        if text.isEmpty { break }
      }
      var view = String.UnicodeScalarView()
      view.append(contentsOf: text)
      if let stamp = Timestamp(String(view)) { #expect(Timestamp(stamp.description) == stamp) }
    }
  }
}
