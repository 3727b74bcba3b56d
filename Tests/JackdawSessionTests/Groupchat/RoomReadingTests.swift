// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawSession

@Suite("How far the archive of a room is read")
struct RoomReadingTests {
  private func taking(_ pages: [[String]], held: Set<String> = []) -> RoomReading {
    var reading = RoomReading()
    _ = reading.begun()
    reading.starts(behind: "0")
    for ids in pages { reading.took(ids, last: ids.last) { held.contains($0) } }
    return reading
  }

  @Test("Each page moves it to the page's last id, and one without an id does not")
  func pages() {
    #expect(taking([]).upTo == "0")
    #expect(taking([["1", "2"], ["3", "4"]]).upTo == "4")
    #expect(taking([["1", "2"], []]).upTo == "2")
  }

  @Test("Where a message that is held begins, it stops: should what is held be dropped, it is read from there on")
  func held() {
    #expect(taking([["1", "2"], ["3", "4"], ["5"]], held: ["4", "5"]).upTo == "3")
    #expect(taking([["1", "2"], ["3", "4"], ["5"]], held: ["3"]).upTo == "2")
    var reading = taking([["1"]], held: ["1"])
    reading.starts(behind: "0")
    reading.took(["1", "2"], last: "2") { _ in false }
    #expect(reading.upTo == "2")
  }

  @Test("An archive in which there is nothing was read from its beginning")
  func nothing() {
    var reading = taking([])
    reading.starts(behind: nil)
    #expect(reading.upTo == nil)
    reading.foundNothing()
    #expect(reading.upTo == ArchiveCursor.beginning)
  }

  @Test("A room of which nothing was known stays so until it was read to its end")
  func first() {
    var reading = RoomReading()
    _ = reading.begun()
    reading.starts(behind: nil)
    _ = reading.begun()
    reading.starts(behind: "1")
    #expect(reading.isFirst)
    reading.ended()
    #expect(!reading.isFirst)
  }

  @Test("What the log could not take counts until it is begun anew; pauses grow until it ends or is only paused")
  func failures() {
    var reading = RoomReading()
    let number = reading.begun()
    reading.missed()
    #expect(reading.missesSome)
    let next = reading.begun()
    #expect(next == number + 1 && !reading.missesSome)
    let first = [reading.isPutOff(), reading.isPutOff()]
    reading.paused()
    let then = [reading.isPutOff(), reading.isPutOff()]
    #expect(first == [0, 1] && then == [0, 1])
    reading.entered()
    #expect(reading.failures == 0)
  }
}
