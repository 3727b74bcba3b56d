// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Whether the user is in a room: a value that hears what happened and says what is to be done about it.
struct RoomSeat: Equatable {
  enum State: Equatable {
    /// Nobody wants to be in it.
    case outside
    /// The user wants to be in it: it is joined once there is a stream, or the pause is over.
    case waiting
    /// The room was asked, and has not answered.
    case entering
    case inside
    /// The room was told, and has not answered.
    case leaving
  }

  enum Input: Equatable {
    /// The user wants to be in it.
    case wanted(hasStream: Bool)
    case streamIsReady
    case streamIsGone
    case entered
    /// The room, or its server, let nobody in.
    /// - Parameter mayPass: it may do so later.
    case refused(mayPass: Bool)
    /// The room says that the user is not in it any more.
    case removed(mayReturn: Bool)
    /// The room does not know the user, though it never said so.
    case forgotten
    case pauseIsOver
    case unwanted
    /// The room has confirmed that the user left, or had time enough to.
    case left
  }

  enum Action: Equatable {
    case nothing
    case enter
    case leave
    /// Come back after the pause of this number, from 0 on.
    case pause(Int)
  }

  private(set) var state = State.outside
  private var tries = 0

  /// The user wants to be in it.
  var isWanted: Bool { state == .waiting || state == .entering || state == .inside }

  mutating func handle(_ input: Input) -> Action {
    switch (state, input) {
    case (.outside, .wanted(true)), (.leaving, .wanted(true)), (.waiting, .wanted(true)): return enter()
    case (.outside, .wanted(false)), (.leaving, .wanted(false)): state = .waiting
    case (.waiting, .streamIsReady), (.waiting, .pauseIsOver), (.inside, .forgotten): return enter()
    case (.waiting, .unwanted): state = .outside
    case (.entering, .entered), (.waiting, .entered): (state, tries) = (.inside, 0)
    case (.entering, .refused(true)), (.inside, .removed(true)), (.entering, .removed(true)): return pause()
    case (.entering, .refused(false)), (.inside, .removed(false)), (.entering, .removed(false)): state = .outside
    case (.entering, .streamIsGone), (.inside, .streamIsGone): state = .waiting
    case (.entering, .unwanted), (.inside, .unwanted):
      state = .leaving
      return .leave
    case (.leaving, .left), (.leaving, .streamIsGone), (.leaving, .removed), (.leaving, .refused): state = .outside
    default: break
    }
    return .nothing
  }

  private mutating func enter() -> Action {
    state = .entering
    return .enter
  }

  private mutating func pause() -> Action {
    state = .waiting
    defer { tries += 1 }
    return .pause(min(tries, RoomLimits.doublings))
  }
}
