// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// One-to-one messages (RFC 6121 5): ours are kept until the server has them, sent in their order whenever there is a
/// stream, and followed; theirs are kept before they are told, each once.
///
/// How ours go out is in `Chat+Sending.swift`, how they are followed in `Chat+Following.swift`, how theirs come in in `Chat+Receiving.swift`, and what an earlier run and other
/// devices left to be caught up with in `Chat+CatchingUp.swift`.
@Client package final class Chat: Feature {
  package nonisolated static let about = FeatureDescription(
    "RFC 6121 5", "One-to-one messages", scope: "chat and normal messages with ids, errors matched to what they answer")

  let context: FeatureContext
  let store: (any MessageStore)?
  var outbox = Outbox(limit: SessionLimits.rememberedMessages)

  /// There is a stream that takes messages.
  var hasStream = false
  /// Messages may be written: there is a stream, and what was uncertain before it is certain.
  var isWriting = false
  /// Ids of messages that the store does not have yet.
  var unkept: [OutgoingMessage] = []
  /// How often the store had to begin anew.
  var beginnings = 0
  /// ``flush()`` runs on the next turn.
  var willFlush = false
  /// Asks the server for messages that nobody asks for.
  var confirmation: LoopTimer?
  /// The server is being asked how far it is.
  var isAsking = false
  /// Whoever waits for messages to be settled, by the number of the last of them.
  var waiting: [(number: Int, list: WaitingList<Void>)] = []
  /// Fates that the store has not been told.
  var outcomes: [MessageOutcome] = []
  /// Why there will be no stream any more by itself.
  var givenUp: ConnectionError?

  /// What came in this turn and is not in the log yet, in order.
  var arrivals: [Arrival] = []
  /// The log was locked when they were to be kept.
  var patience: LogPatience?
  weak var routes: RouteTable?
  /// The first message that came on the present stream.
  var streamStart: LogPlace?
  /// Up to where everything of the archive is in the log.
  var mark = ArchiveMark.unread
  /// What earlier runs left could not be read yet.
  var adoption: LoopTimer?
  /// The archive is being read.
  var isCatchingUp = false
  /// The archive holds nothing that came before this stream and is not known here.
  var isCaughtUp = false
  /// The archive is to be looked at once more on this stream.
  var secondLook: LoopTimer?
  /// That has been begun.
  var hasLookedAgain = false
  /// ``begin()`` was called.
  var hasBegun = false
  /// The session is there for one command, and shows nothing of what comes.
  package var isCommand = false
  /// It has had its stream managed, or tried to.
  var hasAskedForManagement = false
  /// Ids of the messages that commands before this one left, in their order.
  var takenUp: [String] = []
  /// What comes waits for what came before it, which is still to be read from the archive.
  var isHolding = false
  /// Some wait for that in the log. A stream that is cut does not change it.
  var hasPostponed = false
  /// The last of those that came in this run, for a log that has to be begun anew.
  var postponed: [ArrivedMessage] = []
  /// Those that the log could not take.
  var held: [ArrivedMessage] = []
  /// Those of an earlier run, until the server has said whether its stream goes on.
  var left: [LeftMessages.Ours] = []

  /// Made by the session, once.
  package init(_ context: FeatureContext) {
    self.context = context
    store = context.stores.messages
    store?.onBegunAnew = { [weak self] in
      self?.streamStart = nil
      self?.keepAgain()
    }
  }

  package func install(in routes: RouteTable) {
    self.routes = routes
    routes.onMessage(.verify) { [unowned self] in verify($0.message) }
    routes.onMessage(.record) { [unowned self] in record(&$0) }
    routes.onMessage(.deliver) { [unowned self] in deliver($0) }
    routes.onAcknowledged { [unowned self] in acknowledged($0) }
  }

  package func phaseChanged(to phase: SessionPhase) {
    hasStream = phase == .fresh || phase == .resumed
    logArrivals()
    switch phase {
    case .fresh:
      isCaughtUp = false
      (secondLook, hasLookedAgain) = (nil, false)
      streamStart = nil
      isHolding = hasBegun
    case .resumed: startIfCertain()
    case .interrupted, .suspended: stopWriting()
    case .ended:
      stopWriting()
      leaveHeld()
      giveUp(ConnectionError(.closed, "the session is over"))
    }
  }
}
