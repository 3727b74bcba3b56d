// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The life of a stream, which may outlast its connections and, where the next run resumes it, the program (XEP-0198 5). A value: what
/// happened goes in, what is to be done comes out.
struct StreamLife: Sendable {
  /// Where a stream that is live comes from.
  enum Origin: Sendable, Equatable {
    /// From a log-in: the server knows nothing of what was asked before.
    case login
    /// It was resumed.
    case resumption
    /// It was an earlier run's, and was resumed: the server knows us, but this run does not know what it sent to that one.
    case inheritance
  }

  enum State: Sendable, Equatable {
    case none
    /// It has a connection.
    case live(Origin)
    /// Its connection is gone, and the server holds it for a while.
    case interrupted
    /// An earlier run had the stream of this name; whether it can be resumed is for the server to say.
    case inherited(String)
    /// The session is over.
    case ended
  }

  enum Input: Sendable, Equatable {
    /// An earlier run left a stream of this name, which the server may hold.
    case found(String)
    case loggedIn(resumed: Bool)
    /// The connection is gone; the server holds the stream.
    case cut
    /// The stream will not be resumed.
    case lost
    /// The server has said what it has.
    /// - Parameter isMore: that includes something that was sent since the stream was last resumed.
    case acknowledged(isMore: Bool)
    /// The session is over; the stream, if there was one, has been lost.
    case left
  }

  enum Action: Sendable, Equatable {
    /// It is known, as far as it ever will be, what the server has of the stream of this name, which an earlier run left.
    case settleInherited(String)
    case announce(SessionPhase)
    /// The server has acknowledged something for the first time since the stream was resumed: it reads what we send.
    case tellOfAcknowledgement
  }

  private(set) var state = State.none
  /// How often the stream was resumed since the server last acknowledged something on it. One on which it never does cannot go on.
  private(set) var resumptionsWithoutAck = 0
  /// The server may still hold a part of a stanza from before the last resumption, and take what is sent for its rest. Prosody
  /// does, and says with the last words on a stream that it ends over that how much it has: only more than before shows that it reads
  /// what is sent now.
  private(set) var mayReadRemains = false

  /// As the features are told of it.
  var phase: SessionPhase {
    switch state {
    case .none: .suspended
    case .live(.login), .live(.inheritance): .fresh
    case .live(.resumption): .resumed
    case .interrupted, .inherited: .interrupted
    case .ended: .ended
    }
  }

  mutating func handle(_ input: Input) -> [Action] {
    switch (input, state) {
    case (.found(let name), .none):
      state = .inherited(name)
      return []
    case (.loggedIn(resumed: false), _):
      resumptionsWithoutAck = 0
      mayReadRemains = false
      state = .live(.login)
      return [.announce(.fresh)]
    case (.loggedIn(resumed: true), .inherited(let name)):
      resumed()
      state = .live(.inheritance)
      return [.settleInherited(name), .announce(.fresh)]
    case (.loggedIn(resumed: true), _):
      resumed()
      state = .live(.resumption)
      return [.announce(.resumed)]
    case (.cut, .live):
      state = .interrupted
      return [.announce(.interrupted)]
    case (.lost, .live), (.lost, .interrupted):
      state = .none
      return [.announce(.suspended)]
    case (.lost, .inherited(let name)):
      state = .none
      return [.settleInherited(name), .announce(.suspended)]
    case (.acknowledged(let isMore), _):
      if isMore { mayReadRemains = false }
      guard resumptionsWithoutAck > 0 else { return [] }
      resumptionsWithoutAck = 0
      return [.tellOfAcknowledgement]
    case (.left, _):
      state = .ended
      return [.announce(.ended)]
    case (.found, _), (.cut, _), (.lost, _): return []
    }
  }

  private mutating func resumed() {
    resumptionsWithoutAck += 1
    mayReadRemains = true
  }
}
