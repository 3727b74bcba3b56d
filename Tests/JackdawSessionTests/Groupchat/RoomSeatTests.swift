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

  @Test("A room that is wanted is joined at once where there is a stream")
  func aRoomThatIsWantedIsEnteredAtOnceWhereThereIsAStream() {
    var seat = RoomSeat()
    #expect(seat.handle(.wanted(hasStream: true)) == .enter)
    #expect(seat.state == .entering)
    #expect(seat.handle(.entered) == .nothing)
    #expect(seat.state == .inside)
  }

  @Test("Without a stream the room waits for one") func withoutAStreamItWaitsForOne() {
    var seat = seat(.wanted(hasStream: false))
    #expect(seat.state == .waiting)
    #expect(seat.handle(.streamIsReady) == .enter)
  }

  @Test("After a lost stream the room is joined on the next one") func aStreamThatIsLostHasItEnteredAgainOnTheNext() {
    var seat = seat(.wanted(hasStream: true), .entered, .streamIsGone)
    #expect(seat.isWanted)
    #expect(seat.handle(.streamIsReady) == .enter)
  }

  @Test("A room that no longer knows the user is joined again")
  func aRoomThatDoesNotKnowTheUserAnyMoreIsEnteredAgain() {
    var seat = seat(.wanted(hasStream: true), .entered)
    #expect(seat.handle(.forgotten) == .enter)
  }

  @Test("After a temporary refusal the room is joined again, with ever longer pauses")
  func whatMayPassIsTriedAgainAfterEverLongerPauses() {
    var seat = RoomSeat()
    _ = seat.handle(.wanted(hasStream: true))
    for number in [0, 1, 2, 3, 4, 5, 6, 6] {
      #expect(seat.handle(.refused(mayPass: true)) == .pause(number))
      #expect(seat.handle(.pauseIsOver) == .enter)
    }
    _ = seat.handle(.entered)
    #expect(seat.handle(.removed(mayReturn: true)) == .pause(0), "it worked meanwhile")
  }

  @Test(
    "A user who is refused for good or removed is outside and does not join again",
    arguments: [RoomSeat.Input.refused(mayPass: false), .removed(mayReturn: false)])
  func whoIsNotWantedThereIsOutside(input: RoomSeat.Input) {
    var seat = seat(.wanted(hasStream: true))
    #expect(seat.handle(input) == .nothing)
    #expect(seat.state == .outside)
    #expect(seat.handle(.streamIsReady) == .nothing, "it is not entered by itself")
  }

  @Test("A user who leaves is outside once the room has confirmed it") func whoLeavesIsOutsideOnceTheRoomHasSaidSo() {
    var seat = seat(.wanted(hasStream: true), .entered)
    #expect(seat.handle(.unwanted) == .leave)
    #expect(seat.state == .leaving)
    _ = seat.handle(.left)
    #expect(seat.state == .outside)
  }

  @Test("A room that is left before it answers is not entered when it does")
  func aRoomThatIsLeftBeforeItAnswersIsLeft() {
    var seat = seat(.wanted(hasStream: true))
    #expect(seat.handle(.unwanted) == .leave)
    #expect(seat.handle(.entered) == .nothing)
    #expect(seat.state == .leaving, "it had let the user in before it heard of it")
  }

  @Test("A room that is wanted again while the user leaves is joined") func whoWantsItAgainWhileLeavingEntersIt() {
    var seat = seat(.wanted(hasStream: true), .entered, .unwanted)
    #expect(seat.handle(.wanted(hasStream: true)) == .enter)
  }

  @Test("No event of the room or the stream brings in a user who is outside") func nothingMovesWhoIsOutside() {
    for input in [RoomSeat.Input.entered, .streamIsGone, .forgotten, .pauseIsOver, .left, .unwanted] {
      var seat = RoomSeat()
      #expect(seat.handle(input) == .nothing)
      #expect(seat.state == .outside)
    }
  }
}
