// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawProtocol
import Testing

@Suite("Times on the screen")
struct LocalTimeTests {
  @Test(
    "are right before 1970, and have four digits for each year",
    arguments: [
      (-1, "1969-12-31 23:59"), (-60_001, "1969-12-31 23:58"), (-62_135_596_800_000, "0001-01-01 00:00"),
      (253_402_300_799_999, "9999-12-31 23:59"), (1_795_248_000_000, "08:00"),
    ] as [(Int64, String)])
  func short(_ milliseconds: Int64, _ text: String) {
    let now = Timestamp(milliseconds: 1_795_248_000_000)
    #expect(LocalTime.utc.short(Timestamp(milliseconds: milliseconds), now: now) == text)
  }

  /// Now is a Saturday, 08:00.
  @Test(
    "name the day of the week where that is one of the last six",
    arguments: [
      (0, "08:00"), (8, "00:00"), (9, "Friday 23:00"), (24, "Friday 08:00"), (152, "Sunday 00:00"),
      (153, "2026-11-14 23:00"), (-1, "09:00"), (-48, "2026-11-23 08:00"),
    ] as [(Int64, String)])
  func recent(_ hours: Int64, _ text: String) {
    let now: Int64 = 1_795_248_000_000
    let moment = Timestamp(milliseconds: now - hours * 3_600_000)
    #expect(LocalTime.utc.recent(moment, now: Timestamp(milliseconds: now)) == text)
  }
}
