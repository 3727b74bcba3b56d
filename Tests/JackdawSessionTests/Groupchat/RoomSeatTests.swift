// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawSession

@Suite struct RoomSeatTests {
  private func seat(_ inputs: RoomSeat.Input...) -> RoomSeat {
    var seat = RoomSeat()
    for input in inputs { _ = seat.handle(input) }
    return seat
  }

  @Test func aRoomThatIsWantedIsEnteredAtOnceWhereThereIsAStream() {
    var seat = RoomSeat()
    #expect(seat.handle(.wanted(hasStream: true)) == .enter)
    #expect(seat.state == .entering)
    #expect(seat.handle(.entered) == .nothing)
    #expect(seat.state == .inside)
  }

  @Test func withoutAStreamItWaitsForOne() {
    var seat = seat(.wanted(hasStream: false))
    #expect(seat.state == .waiting)
    #expect(seat.handle(.streamIsReady) == .enter)
  }

  @Test func aStreamThatIsLostHasItEnteredAgainOnTheNext() {
    var seat = seat(.wanted(hasStream: true), .entered, .streamIsGone)
    #expect(seat.isWanted)
    #expect(seat.handle(.streamIsReady) == .enter)
  }

  @Test func aRoomThatDoesNotKnowTheUserAnyMoreIsEnteredAgain() {
    var seat = seat(.wanted(hasStream: true), .entered)
    #expect(seat.handle(.forgotten) == .enter)
  }

  @Test func whatMayPassIsTriedAgainAfterEverLongerPauses() {
    var seat = RoomSeat()
    _ = seat.handle(.wanted(hasStream: true))
    for number in [0, 1, 2, 3, 4, 5, 6, 6] {
      #expect(seat.handle(.refused(mayPass: true)) == .pause(number))
      #expect(seat.handle(.pauseIsOver) == .enter)
    }
    _ = seat.handle(.entered)
    #expect(seat.handle(.removed(mayReturn: true)) == .pause(0), "it worked meanwhile")
  }

  @Test(arguments: [RoomSeat.Input.refused(mayPass: false), .removed(mayReturn: false)])
  func whoIsNotWantedThereIsOutside(input: RoomSeat.Input) {
    var seat = seat(.wanted(hasStream: true))
    #expect(seat.handle(input) == .nothing)
    #expect(seat.state == .outside)
    #expect(seat.handle(.streamIsReady) == .nothing, "it is not entered by itself")
  }

  @Test func whoLeavesIsOutsideOnceTheRoomHasSaidSo() {
    var seat = seat(.wanted(hasStream: true), .entered)
    #expect(seat.handle(.unwanted) == .leave)
    #expect(seat.state == .leaving)
    _ = seat.handle(.left)
    #expect(seat.state == .outside)
  }

  @Test func aRoomThatIsLeftBeforeItAnswersIsLeft() {
    var seat = seat(.wanted(hasStream: true))
    #expect(seat.handle(.unwanted) == .leave)
    #expect(seat.handle(.entered) == .nothing)
    #expect(seat.state == .leaving, "it had let the user in before it heard of it")
  }

  @Test func whoWantsItAgainWhileLeavingEntersIt() {
    var seat = seat(.wanted(hasStream: true), .entered, .unwanted)
    #expect(seat.handle(.wanted(hasStream: true)) == .enter)
  }

  @Test func nothingMovesWhoIsOutside() {
    for input in [RoomSeat.Input.entered, .streamIsGone, .forgotten, .pauseIsOver, .left, .unwanted] {
      var seat = RoomSeat()
      #expect(seat.handle(input) == .nothing)
      #expect(seat.state == .outside)
    }
  }
}
