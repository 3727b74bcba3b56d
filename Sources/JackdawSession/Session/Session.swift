// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawHosts
package import JackdawLoop
package import JackdawProtocol
import JackdawTransport
import JackdawXML

/// One account's session: opens the stream, routes what comes, and keeps the features, the events and the open requests
/// together. It is told when to connect; whether to connect again is the connection keeper's decision.
@Client package final class Session {
  package internal(set) var configuration: SessionConfiguration
  /// Who we are: account, bound JID, what the stream offers.
  package let identity: SessionIdentity
  /// What happens in this session, for whoever subscribes.
  package let events: EventBus
  /// The requests of this session that wait for their answers.
  package let requests: IQTracker
  /// Our messages on their way out.
  package let delivery: Delivery
  /// Messages on their way in.
  package let intake: Intake
  /// What this session can do, found by type.
  package let features: FeatureSet
  /// What of a connection there is; changed by the session alone, which tells the features of it.
  package var phase: SessionPhase { life.phase }

  /// What the last log-in found; nil before the first.
  package internal(set) var login: LoginOutcome?

  /// Called when a log-in is done, before anything that the server says on the stream is handled.
  package var onOnline: (@Client () -> Void)?

  /// Called when a ready connection ended, with a ``ConnectionError`` or a ``ConnectionRedirect``; nil when we left by
  /// ourselves. Not called after ``drop(_:)``.
  package var onConnectionEnd: (@Client ((any Error)?) -> Void)?

  /// Called as the steps of a log-in succeed.
  package var onLoginStep: (@Client (LoginStep) -> Void)?

  /// Called with true before the password is asked for, and with false when it came, or will not.
  package var onAsking: (@Client (Bool) -> Void)?

  /// Called for each piece of bytes that came from the server.
  package var onTraffic: (@Client () -> Void)?

  /// Called when the server has shown that it hears us on a stream that was resumed.
  package var onResumedStreamAcknowledged: (@Client () -> Void)?

  /// Called when a log-in has shown which of two passwords the server has; with it, and whether it is the other one, the new.
  package var onPasswordProved: (@Client (_ password: String, _ isNew: Bool) -> Void)?

  /// Called when the server has refused the password of a session that remains online: it is asked for again before the next log-in, and whoever
  /// gives it is not to give what they gave before without another look.
  package var onPasswordRefused: (@Client () -> Void)?

  /// Whether anybody looks, for the next log-in to say.
  var activity = ClientActivity.active

  /// The world as this session sees it.
  package let environment: SessionEnvironment
  let stores: SessionStores
  let core: CoreContext
  let catchUp: CatchUp
  let adoption: Adoption
  /// What was said before the log began.
  package let archive: ArchiveWalker
  let router: Router
  let inbound: InboundPipeline
  let wire: StanzaWire
  var memory = LoginMemory()
  var ticketState = TicketState()
  /// Of stanzas that were left out.
  var leftOutNotices = LeftOutNotices()
  var history = ConnectionHistory()
  var connection: StreamConnection?
  /// Fires at the end of the server's patience with a stream that was cut.
  var expiry: LoopTimer?
  /// When that is, and why there is no connection.
  var patience: (end: MonotonicTime, reason: ConnectionError)?
  /// The last message in the log when the server was told that all had come, as the last word on the stream.
  var farewell: Int64?
  var life = StreamLife()
  /// When the stream was last kept.
  var streamKept: MonotonicTime?
  var hasLookedForEarlierRun = false
  /// The user knows that the server leaves questions of the log-in unanswered.
  var hasToldOfUnanswered = false
  /// A log-in with ``SessionConfiguration/otherPassword`` is under way.
  var triesOtherPassword = false
  /// Told of a log-in that was refused.
  var warningOfRefusal: String?
  /// The server has refused the password, and no other has been given since.
  var isPasswordRefused = false
  /// The user's own, or what the store says; nil: the server may choose.
  var resource: String?
  /// Those who wait for the end of a farewell.
  /// Bounded by our own callers.
  var leaving: [CheckedContinuation<Void, Never>] = []

  /// - Parameter features: each is made once, in this order.
  package init(
    _ configuration: SessionConfiguration, environment: SessionEnvironment, stores: SessionStores,
    features: [any Feature.Type] = FeatureList.all
  ) {
    let remark = environment.remark
    let identity = SessionIdentity(account: configuration.account)
    let wire = StanzaWire(clock: environment.clock, remark: remark)
    let events = EventBus(clock: environment.clock) { remark($0.description) }
    let requests = IQTracker(clock: environment.clock, sender: wire)
    let routes = RouteTable()
    let core = CoreContext(
      role: configuration.role, wire: wire, requests: requests, events: events, clock: environment.clock,
      calendar: environment.calendar, freshID: environment.freshID, messageID: environment.messageID,
      identity: identity, timeout: configuration.timeout, remark: remark)
    let cursor = ArchiveCursor(store: stores.messages)
    let delivery = Delivery(core, store: stores.messages, cursor: cursor, routes: routes)
    let intake = Intake(core, store: stores.messages, cursor: cursor, routes: routes)
    self.configuration = configuration
    self.environment = environment
    self.stores = stores
    self.identity = identity
    self.wire = wire
    self.events = events
    self.requests = requests
    self.core = core
    self.delivery = delivery
    self.intake = intake
    let catchUp = CatchUp(core, store: stores.messages, cursor: cursor, delivery: delivery, intake: intake)
    self.catchUp = catchUp
    intake.onLogged = { [weak delivery] in delivery?.wereLogged($0, areNews: $1) }
    delivery.hasDeferred = { [weak intake] in intake?.hasDeferred ?? false }
    adoption = Adoption(core, store: stores.messages, cursor: cursor, delivery: delivery, intake: intake)
    adoption.onLate = { [weak catchUp] in catchUp?.adoptionIsLate() }
    archive = ArchiveWalker(core, store: stores.earlier, cursor: cursor, intake: intake) { [weak catchUp] in
      await catchUp?.arrived($0)
    }
    let context = FeatureContext(
      stanzas: wire, requests: requests, events: events, clock: environment.clock, freshID: environment.freshID,
      calendar: environment.calendar, identity: identity, role: configuration.role, stores: stores,
      features: features.map { $0.about }, delivery: delivery, intake: intake,
      confirm: { limit throws(RequestError) in try await core.confirm(within: limit) },
      timeout: configuration.timeout, whenRemoved: configuration.whenRemoved, discloses: configuration.discloses,
      remark: remark, notice: environment.notice)
    self.features = FeatureSet(features, context: context, routes: routes)
    let inbound = InboundPipeline(routes, clock: environment.clock, remark: remark)
    self.inbound = inbound
    router = Router(
      routes: routes, messages: inbound, requests: requests, stanzas: wire, identity: identity,
      maySeePresence: { [links = context.links] in links.maySeePresence($0) }, remark: remark)
    wire.onAcknowledged = { [weak delivery] in delivery?.acknowledged($0) }
    wire.onRoom = { [weak delivery] in delivery?.madeRoom() }
    wire.onUncountedRequest = { [weak delivery] in delivery?.requestWasSent($0) }
    requests.onAnswer = { [weak delivery] in delivery?.requestWasAnswered($0) }
    wire.onResend = { [weak delivery] in delivery?.resent($0) ?? $0 }
    wire.isAllSafe = { [weak self] in self?.isAllSafe ?? true }
    wire.onProgress = { [weak self] in
      guard let self else { return true }
      // What came in the same bytes as the question may be followed by more, and goes into the log with it.
      guard isAllSafe else { return false }
      keepStream()
      return true
    }
    stores.messages?.onBegunAnew = { [weak delivery, weak intake, weak cursor] in
      delivery?.keepAgain()
      intake?.keepAgain()
      // Last: where it was known when a message was written, the message says.
      cursor?.keep()
    }
    stores.streams?.onBegunAnew = { [weak self] in self?.keepStream() }
    inbound.onIdle = { [weak wire] in wire?.acknowledge() }
    wire.onStreamManagementEnabled = { [weak self] in self?.streamManagementWasEnabled() }
    wire.onSignOfLife = { [weak self] in self?.keepStream(ifOlderThan: SessionLimits.streamRefresh) }
  }

  isolated deinit {
    connection?.abandon()
    requests.removeAll(reason: ConnectionError(.closed, "The session is over."))
  }

  /// The stream was an earlier run's: the server knows us already, and we know nothing of what it told that one.
  package var continuesEarlierRun: Bool { life.state == .live(.inheritance) }

  /// All that came is where it is not lost with the program.
  var isAllSafe: Bool { !intake.hasArrivals && inbound.isIdle }

  /// Puts into the log what came.
  /// - Returns: whether all that came is safe, or can never be.
  func allIsLogged() -> Bool { intake.logArrivals() && inbound.isIdle }

  /// True while stanzas can be sent.
  package var isOnline: Bool { connection?.isReady ?? false }

  /// That the log-in under way takes too long for somebody who has waited for `time`, which may be less than it has; nil when there is none.
  func loginTimeout(after time: Duration) -> ConnectionError? {
    connection?.timeout(min(time, configuration.timeout))
  }

  // MARK: Coming

  /// Connects and logs in once: after it stanzas flow, and nothing has been sent yet. A connection that there was is
  /// dropped.
  /// - Parameter endpoint: connect there instead of where the configuration or the domain's records say.
  /// - Throws: ``ConnectionError``, ``ConnectionRedirect``; `CancellationError`. Nothing stays open then.
  package func logIn(at endpoint: HostPort? = nil) async throws {
    guard phase != .ended else { throw ConnectionError(.closed, "The session is over.") }
    drop(ConnectionError(.closed, "Another connection has replaced this one."))
    try await replaceRefusedPassword()
    try await adoptLeftovers()
    // Whether the server still has the stream is now for it to say.
    expiry = nil
    var plan = configuration.plan
    let location = endpoint == nil ? resumptionPlace : nil
    if let place = endpoint ?? location { plan.server = place }
    plan.triedLast = history.failedPlaces
    plan.tickets = tickets
    ticketState.isInUse = false
    if configuration.role.isInteractive { plan.readPerTurn = TransportLimits.readBetweenKeys }
    let connection = StreamConnection(
      StreamMachine(loginRequest()), clock: environment.clock, log: environment.log,
      leavesOutFaults: history.expectsFaults, deriveKeys: environment.deriveKeys)
    connection.owner = self
    self.connection = connection
    history.loginBegan(at: environment.clock.now)
    do {
      try await connection.open(plan, by: environment.connector, timeout: configuration.timeout)
    } catch let error as ConnectionError
      where isRemediable(error) && self.connection === connection && leaving.isEmpty && !Task.isCancelled
    {
      self.connection = nil
      try await remedy(error)
      try await logIn(at: endpoint)
    } catch {
      history.loginFailed(at: connection.places, error)
      guard self.connection === connection else { throw error }
      self.connection = nil
      intake.takeBack()
      let error = advised(history.explained(error, at: environment.clock.now))
      warn(of: error)
      comingBackFailed(error, wasLeft: connection.wasLeftInResuming)
      // Where the server would have us come back is an offer: what is there says nothing of the domain.
      let isPlaceAtFault = location != nil && (error as? ConnectionError).map { $0.code != .authentication } ?? false
      if mayTryOtherPassword(after: error) {
        environment.remark("\(Self.summary(of: error)) The new password is tried.")
        return try await tryOtherPassword { try await logIn(at: endpoint) }
      }
      if await takeChangedPassword(after: error) { return try await logIn(at: endpoint) }
      giveUpPassword(after: error)
      guard connection.wasLeftInResuming || isPlaceAtFault, leaving.isEmpty, !Task.isCancelled else {
        releaseLeavers()
        throw error
      }
      if isPlaceAtFault { wire.forgetLocation() }
      let next = isPlaceAtFault ? "The server is looked for where its domain says." : "A fresh stream is asked for."
      environment.remark("\(error) \(next)")
      try await logIn(at: endpoint)
    }
  }

  /// Takes over what an earlier run left. Once, before the first connection, by a session that is not for one command.
  package func begin() { adoption.begin() }

  /// Waits for what ``begin()`` has to read, where another program has it locked, for some seconds at most.
  func logIsRead() async { await adoption.logIsRead() }

  /// Reads what came while there was no stream, where that is not known yet. It is for after ``settleIn(showing:)``, and nobody
  /// need wait for it.
  package func catchUp() async {
    do {
      try await catchUp.catchUp()
    } catch {
      guard !Task.isCancelled, isOnline else { return }
      environment.remark("What came meanwhile cannot be read from the archive: \(error)")
    }
    if case .interactive = configuration.role, isOnline, !Task.isCancelled { archive.begin(configuration.archive) }
  }

  /// Reads from our server's archive what is missing in the log, in a session for one command: what came since one last looked, which
  /// stays news for whoever shows it, and what was said before the log began.
  /// - Parameters:
  ///   - extent: as far back as that.
  ///   - progress: is told after each page of what was said before the log began.
  /// - Returns: how much of both was missing.
  /// - Throws: as ``ArchiveWalker/readAll(_:progress:)``.
  package func readArchive(
    _ extent: ArchiveExtent, progress: @Client (ArchiveRead, Double?) async throws -> Void
  ) async throws -> ArchiveRead {
    let known = catchUp.found
    try await catchUp.whenIdle()
    try await catchUp.catchUp()
    let news = catchUp.found - known
    var read = try await archive.readAll(extent, progress: progress)
    read.messages += news
    return read
  }

  /// Finds out, in a session for one command, what became of the messages that earlier commands left, and sends again what did
  /// not arrive. What the command itself sends waits for that.
  package func settleLeftovers() async {
    do {
      try await catchUp.settleUncertain()
    } catch {
      guard !Task.isCancelled, isOnline else { return }
      environment.remark("Whether messages of earlier commands arrived cannot be read from the archive: \(error)")
    }
  }
}
