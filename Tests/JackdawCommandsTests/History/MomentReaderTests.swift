// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawProtocol
import Testing

@testable import JackdawCommands

@Suite("A time as it is typed") struct MomentReaderTests {
  private static let now = "2026-11-23T10:30:15.000Z"
  private let reader: MomentReader

  init() throws { reader = MomentReader(now: try #require(Timestamp(Self.now)), localTime: .utc) }

  @Test(
    "is a moment, or a day from its first moment to the next day's",
    arguments: [
      ("14:00", "2026-11-23T14:00:00.000Z", nil), ("7:05", "2026-11-23T07:05:00.000Z", nil),
      ("today", "2026-11-23T00:00:00.000Z", "2026-11-24T00:00:00.000Z"),
      ("Today", "2026-11-23T00:00:00.000Z", "2026-11-24T00:00:00.000Z"),
      ("TODAY 7:05", "2026-11-23T07:05:00.000Z", nil),
      ("Yesterday", "2026-11-22T00:00:00.000Z", "2026-11-23T00:00:00.000Z"),
      ("2026-11-01", "2026-11-01T00:00:00.000Z", "2026-11-02T00:00:00.000Z"),
      ("2024-2-29", "2024-02-29T00:00:00.000Z", "2024-03-01T00:00:00.000Z"),
      ("2026-12-31", "2026-12-31T00:00:00.000Z", "2027-01-01T00:00:00.000Z"),
      ("yesterday 23:59", "2026-11-22T23:59:00.000Z", nil), ("2026-11-01T14:00", "2026-11-01T14:00:00.000Z", nil),
      ("2026-11-01T14:00:00Z", "2026-11-01T14:00:00.000Z", nil),
      ("2026-11-01T14:00:00+02:00", "2026-11-01T12:00:00.000Z", nil), ("30m", "2026-11-23T10:00:15.000Z", nil),
      ("2h", "2026-11-23T08:30:15.000Z", nil), ("3d", "2026-11-20T10:30:15.000Z", nil),
      ("2w", "2026-11-09T10:30:15.000Z", nil), ("0001-01-01", "0001-01-01T00:00:00.000Z", "0001-01-02T00:00:00.000Z"),
      ("9999999999999999d", "0001-01-01T00:00:00.000Z", nil),
    ] as [(String, String, String?)])
  func isUnderstood(text: String, start: String, end: String?) throws {
    #expect(try reader.start(text).description == start)
    #expect(try reader.end(text).description == end ?? start)
  }

  @Test("is all of an hour that a clock shows twice, as summer time ends, whichever of the two the system takes it for")
  func shownTwice() throws {
    // As in Havana, where it is midnight twice on 1 November 2026.
    let end = try #require(Timestamp("2026-11-01T05:00:00.000Z")).seconds
    @Sendable func offset(_ seconds: time_t) -> time_t { seconds < end ? -4 * 3_600 : -5 * 3_600 }
    for summer in [-4, -5] {
      let havana = LocalTime(
        convert: { seconds, fields in
          var shifted = seconds + offset(seconds)
          gmtime_r(&shifted, &fields)
        },
        count: { fields in
          let shown = timegm(&fields)
          let choices = [-4, -5].map { shown - $0 * 3_600 }.filter { offset($0) == shown - $0 }
          let moment = choices.first { offset($0) == summer * 3_600 } ?? choices.first ?? shown
          return moment
        })
      let reader = MomentReader(now: try #require(Timestamp("2026-11-03T12:00:00.000Z")), localTime: havana)
      func range(_ text: String) throws -> [String] {
        try [reader.start(text), reader.end(text)].map { String($0.description.dropLast(8)) }
      }
      #expect(try range("2026-11-01 00:30") == ["2026-11-01T04:30", "2026-11-01T05:30"])
      #expect(try range("2026-11-01") == ["2026-11-01T04:00", "2026-11-02T05:00"])
      #expect(try range("2026-10-31") == ["2026-10-31T04:00", "2026-11-01T04:00"])
      #expect(try range("2026-11-01 02:00") == ["2026-11-01T07:00", "2026-11-01T07:00"])
    }
  }

  @Test(
    "is refused where it is none",
    arguments: [
      "", "25:00", "12:60", "2026-02-29", "2026-13-01", "2026-11-31", "11-01", "-3d", "3y", "d", "now", "1:2:3",
      "2026-11-01 25:00", "today 1 2", "99999999999999999999d",
    ])
  func isRefused(text: String) {
    #expect(throws: CommandFailure.self) { try reader.start(text) }
  }
}
