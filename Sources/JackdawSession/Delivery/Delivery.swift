// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// Our messages on their way out: in the log before they are on the wire, sent in their order whenever there is a stream, and
/// followed until the server has them.
///
/// How they go out is in `Delivery+Sending.swift` and how they are taken back in `Delivery+Withdrawing.swift`, what stages they pass on the
/// way in `Delivery+Preparing.swift`, what the store is told of them in `Delivery+Storing.swift`, how they are followed in
/// `Delivery+Following.swift` and `Delivery+Answers.swift`, what earlier runs left in `Delivery+Leftovers.swift`, what was reported of a message
/// before that was in the log in `EarlyReports.swift`.
@Client package final class Delivery {
  /// Whether messages may go out.
  enum Stage {
    /// There is no stream.
    case offline
    /// There is one, and stream management (XEP-0198) has not been requested yet.
    case opening
    /// What waits is written, but for what stands behind something whose fate is open.
    case writing
    /// The wire has no room; what waits is written when it has.
    case blocked
  }

  /// A message that the store does not have yet: it gets that whatever its fate is by then.
  struct UnkeptMessage {
    let message: OutgoingMessage
    let entry: Outbox.Entry
  }

  let core: CoreContext
  let store: (any MessageStore)?
  let cursor: ArchiveCursor
  let routes: RouteTable
  /// Knows which addresses are rooms'; nil: none is.
  package weak var rooms: (any RoomGate)?
  var outbox = Outbox(limit: SessionLimits.rememberedMessages)
  var stage = Stage.offline

  /// Messages that the store does not have yet.
  var unkept: [UnkeptMessage] = []
  /// Nothing is on the wire before it is in the log.
  var log = LogAccess.free
  /// How often the store had to begin anew.
  var beginnings = 0
  /// The names of what was prepared last, which the next one has too.
  var names = ElementNames()
  /// Messages that an outbound stage is still preparing asynchronously, by recipient; each is the first one that waits for that recipient.
  var inPreparation: [JID: LatePreparation] = [:]
  /// ``flush()`` runs on the next turn.
  var willFlush = false
  /// Asks the server for messages that nobody asks for.
  var confirmation: LoopTimer?
  /// The server is being asked how far it is.
  var isAsking = false
  /// Requests that stand behind messages on a stream on which nobody counts; in the order of sending.
  var questions: [Question] = []
  /// Whoever waits for messages to be settled. Bounded by our own callers.
  var waiting: [(messages: AwaitedMessages, list: WaitingList<Void>)] = []
  /// When one was last settled.
  var lastSettled: MonotonicTime?
  /// Fates that the store has not been told. Bounded by ``SessionLimits/rememberedMessages``.
  var outcomes: [MessageOutcome] = []
  /// The last try to tell it failed, and not as another program has it locked.
  var storeTakesNothing = false
  /// Tells it once more then.
  var tellingAgain: LoopTimer?
  /// Tells it the stream's name then, as another program has it locked.
  var naming: LoopTimer?
  /// What others said of ours and the store has not been told, behind ``outcomes``. Bounded by ``SessionLimits/rememberedMessages``.
  var reports: [MessageReport] = []
  /// What was told of them.
  var heardReports = HeardReports(limit: SessionLimits.rememberedMessages)
  /// Reports about messages of ours that the log does not have yet.
  var earlyReports = EarlyReports(limit: SessionLimits.earlyReports)
  /// Forgets the oldest of these when it fires.
  var forgettingEarly: LoopTimer?
  /// Whether messages are deferred, as the archive is being read.
  var hasDeferred: (@Client () -> Bool)?
  /// ``tellStore()`` runs on the next turn.
  var willTellStore = false
  /// Why there will be no stream any more by itself.
  var givenUp: ConnectionError?
  /// How many messages may still be written before the questions of the log-in are answered, which a slow server would answer behind all
  /// of them; nil: as many as there are.
  var writableBeforeAnswers: Int?
  /// There has been a stream that takes messages.
  var hasHadStream = false
  /// What earlier runs left, and this one took over, but for messages to rooms: their ids, in their order.
  var adopted: [String] = [] { didSet { adoptedIDs = Set(adopted) } }
  /// ``adopted``, to be looked up.
  private(set) var adoptedIDs: Set<String> = []
  /// Those of them that had arrived before, as the archive or the server's count said. Bounded by ``adopted``.
  var adoptedBefore: Set<String> = []
  /// What an earlier run left, until the server has said whether its stream goes on.
  var inherited: [LeftMessages.Ours] = []

  init(_ core: CoreContext, store: (any MessageStore)?, cursor: ArchiveCursor, routes: RouteTable) {
    self.core = core
    self.store = store
    self.cursor = cursor
    self.routes = routes
  }

  /// There is a stream that takes messages.
  package var hasStream: Bool { stage != .offline }

  /// Messages may be written.
  var isWriting: Bool { stage == .writing || stage == .blocked }

  func phaseChanged(to phase: SessionPhase) {
    switch phase {
    case .fresh: if stage == .offline { stage = .opening }
    case .resumed: startWriting()
    case .interrupted, .suspended: stopWriting()
    case .ended:
      stopWriting()
      log = .givenUp
      giveUp(ConnectionError(.closed, "The session is over."))
      inPreparation = [:]
      (tellingAgain, naming, forgettingEarly) = (nil, nil, nil)
    }
  }
}
