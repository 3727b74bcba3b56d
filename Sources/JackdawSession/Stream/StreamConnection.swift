// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawTransport
import JackdawXML

/// One connection from the look-up of the server to its end: joins transport, decoder and stream machine, and hands the
/// stanzas of the ready stream on by plain calls.
///
/// Its end is reported once, on the next turn: by then the kernel has been given the last bytes.
@Client final class StreamConnection {
  /// Told of each stanza, and once of the end (not after ``abandon()``). Weak: the session owns the connection.
  weak var owner: (any StreamConnectionOwner)?

  /// Runs a blocking key derivation away from the loop's thread.
  typealias KeyDeriving = @Client (SCRAMDerivation) async -> SCRAMKeys?

  private enum Course {
    case open
    /// Our closing tag is out, or will be.
    case closing
    case over
  }

  private let clock: any LoopClock
  private let log: (any StreamLog)?
  private let deriveKeys: KeyDeriving
  private let decoder = StanzaDecoder()
  private var machine: StreamMachine
  private var transport: (any Transport)?
  /// Addresses that took the connection: those before the last then sent nothing, or hung up.
  /// Bounded by the addresses that are tried.
  private(set) var places: [ConnectionPlace] = []
  /// There are other addresses than the last of them.
  private var hasOtherAddresses = false
  /// Of the log-in, later of the farewell.
  private var deadline: LoopTimer?
  /// Of an upgrade that the server asks for within the log-in (XEP-0480).
  private var upgradeDeadline: LoopTimer?
  /// Set while the server has sent nothing and there is another address: the timeout, and how to go on to that address.
  private var silence: (limit: LoopTimer, leave: @Client (_ what: String) -> Void)?
  private var connecting: Task<Void, Never>?
  private var deriving: Task<Void, Never>?
  /// The log-in, or what the stream was opened for in its place.
  private var login: CheckedContinuation<Void, any Error>?
  private var hasToldAccepted = false
  private var course = Course.open
  /// The stanza that is being written; kept for its room.
  private var scratch: [UInt8] = []

  /// - Parameter leavesOutFaults: a stanza whose XML is wrong is left out where its end is certain
  ///   (``StanzaDecoder/leavesOutFaults``).
  init(
    _ machine: StreamMachine, clock: any LoopClock, log: (any StreamLog)?, leavesOutFaults: Bool = false,
    deriveKeys: @escaping KeyDeriving
  ) {
    self.machine = machine
    self.clock = clock
    self.log = log
    self.deriveKeys = deriveKeys
    decoder.leavesOutFaults = leavesOutFaults
  }

  /// True from the end of the log-in to the first sign of the connection's end: stanzas can be sent.
  var isReady: Bool { machine.isReady && !isOver }

  private var isOver: Bool { course == .over }

  /// The server's closing tag came after ours (RFC 6120 4.4): it has read all that was sent before that.
  private(set) var hasPeerAnsweredEnd = false

  /// The server left without a word when it was asked whether a stream goes on.
  private(set) var wasLeftInResuming = false

  // MARK: From the beginning

  /// Connects and logs in, or does in its place what the machine was made for, all within `timeout`. Called once.
  /// - Throws: ``ConnectionError``, ``ConnectionRedirect``; `CancellationError`, also after ``abandon()``. Nothing stays
  ///   open then.
  func open(_ plan: ConnectionPlan, by connector: any Connecting, timeout: Duration) async throws {
    var plan = plan
    plan.timeout = timeout
    plan.onChoice = { [weak self] place, hasOthers in
      self?.places.append(place)
      self?.hasOtherAddresses = hasOthers
    }
    plan.onProgress = { [weak self] in self?.owner?.connectionStepped(LoginStep($0)) }
    let limit = LoginLimit(end: clock.now + timeout, length: timeout)
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        login = continuation
        connecting = EventLoop.main.start { [plan] in await self.connect(plan, by: connector, within: limit) }
      }
    } onCancel: {
      Task(executorPreference: EventLoop.main) { await self.loginCancelled() }
    }
  }

  private func connect(_ plan: ConnectionPlan, by connector: any Connecting, within limit: LoginLimit) async {
    do {
      let (transport, security) = try await connector.connect(plan)
      guard !isOver else { return transport.abort() }
      self.transport = transport
      transport.delegate = self
      transport.isNegotiating = true
      deadline = clock.schedule(at: limit.end) { [weak self] in self?.loginIsLate(limit) }
      waitForFirstWord(plan, by: connector, within: limit)
      if let security { transportSecured(security) } else { perform(machine.handle(.connected)) }
    } catch let error as TransportError {
      finish(ConnectionError(error))
    } catch {
      finish(error)
    }
  }

  /// An address that takes the connection and then sends nothing, or hangs up, is left for the next one, if there is one. An address that
  /// was left so once gets all of the remaining time when no other will do. A TLS handshake is no sign of life: what ends TLS for a server
  /// may wait for one that is down.
  private func waitForFirstWord(_ plan: ConnectionPlan, by connector: any Connecting, within limit: LoginLimit) {
    guard hasOtherAddresses, let place = places.last, !plan.triedLast.contains(place) else { return silence = nil }
    let leave: @Client (String) -> Void = { [weak self, machine] what in
      guard let self, course == .open else { return }
      log?.remark("\(place.address) takes the connection and \(what): another address is tried.")
      transport?.abort()
      (transport, self.machine, silence) = (nil, machine, nil)
      let others = plan.avoiding(place, within: limit.end - clock.now)
      connecting = EventLoop.main.start { await self.connect(others, by: connector, within: limit) }
    }
    silence = (clock.schedule(after: limit.ofFirstWord) { leave("says nothing") }, leave)
  }

  private func loginIsLate(_ limit: LoginLimit) { finish(timeout(limit.length)) }

  /// That a log-in took longer than `length`, and what it was waiting for.
  func timeout(_ length: Duration) -> ConnectionError {
    ConnectionError(
      .timedOut, "The log-in took longer than \(LoginLimit.text(length)): it was still waiting for \(machine.awaited).")
  }

  /// A server that does not finish the upgrade must leave time for a log-in without it.
  private func limitUpgrade() {
    guard machine.isUpgrading, upgradeDeadline == nil else { return }
    upgradeDeadline = clock.schedule(after: SessionLimits.upgradePatience) { [weak self] in
      guard let self, machine.isUpgrading else { return }
      finish(ConnectionError(.failedUpgrade, "The server took too long: this side was waiting for \(machine.awaited)."))
    }
  }

  /// The task that logs in was cancelled; by now the log-in may have ended.
  private func loginCancelled() {
    if login != nil { abandon() }
  }

  private func derive(_ derivation: SCRAMDerivation) async {
    let keys = await deriveKeys(derivation)
    guard !isOver else { return }
    perform(machine.handle(keys.map { .keysDerived($0) } ?? .keyDerivationFailed))
  }

  // MARK: Meanwhile

  /// Bytes that wait for the server to read.
  var pendingOutput: Int { transport?.pendingOutput ?? 0 }
  var outputProgress: OutputProgress? { transport?.outputProgress }

  /// The server reads what it is sent, or little enough waits for that.
  var hasRoom: Bool { pendingOutput <= SessionLimits.pendingOutput }

  /// Writes a stanza; the bytes of one turn go out together.
  /// - Parameters:
  ///   - isLimited: false: it is sent even if there is no room. That is for stanzas that are counted already (XEP-0198), and for what
  ///     is bounded by them.
  ///   - goesAhead: it is sent before what still waits for the line.
  /// - Returns: how many bytes it has.
  /// - Throws: ``ConnectionError``; `XMLWriteError` for what XML cannot carry. Nothing of the stanza is sent then.
  @discardableResult func send(_ element: Element, isLimited: Bool = true, goesAhead: Bool = false) throws -> Int {
    guard let transport, isReady else { throw ConnectionError(.lost, "There is no connection.") }
    scratch.removeAll(keepingCapacity: true)
    try StanzaWriter.append(element, to: &scratch)
    guard !isLimited || hasRoom else {
      throw ConnectionError(.stalled, "The server no longer reads what is sent to it.")
    }
    log?.sent(element)
    if goesAhead { transport.sendAhead(scratch) } else { transport.send(scratch) }
    return scratch.count
  }

  /// Makes one answer of the ready stream come in parts; before that nothing is larger than a stanza may be.
  func takeParts(_ parts: StanzaParts?) {
    guard isReady else { return }
    decoder.parts = parts.map { parts in
      StanzaParts(id: parts.id) { [log] part in
        log?.received(part)
        return parts.take(part)
      }
    }
  }

  private func perform(_ actions: [StreamMachine.Action]) {
    var left = actions[...]
    while !isOver, let action = left.popFirst() {
      switch action {
      case .send(let bytes):
        log?.sent(bytes)
        transport?.send(bytes)
      case .restartDecoder:
        let unread = decoder.restart()
        // The answer to bytes that must not be there takes the place of what was to be done after the restart.
        if unread > 0 { left = machine.handle(.unexpectedBytes(unread))[...] }
      case .startTLS:
        transport?.startTLS()
      case .deriveKeys(let derivation):
        deriving = EventLoop.main.start { await self.derive(derivation) }
      case .loggedIn(let outcome):
        (deadline, upgradeDeadline) = (nil, nil)
        transport?.isNegotiating = false
        // It may be one answer to both.
        tellAccepted(AcceptedLogin(outcome))
        let waiting = login.take()
        // At once, and not when the task that waits goes on: stanzas may follow in the same bytes.
        owner?.connectionLoggedIn(outcome)
        waiting?.resume()
      case .registered, .reached:
        login.take()?.resume()
        finish(nil)
      case .asked(let form):
        finish(RegistrationAsked(form))
      case .redirect(let target):
        finish(ConnectionRedirect(to: target))
      case .fail(let failure):
        finish(ConnectionError(failure))
      case .closed:
        finish(nil)
      }
    }
    guard !isOver else { return }
    limitUpgrade()
    if let accepted = machine.acceptedLogin { tellAccepted(accepted) }
  }

  private func tellAccepted(_ login: AcceptedLogin) {
    guard !hasToldAccepted else { return }
    hasToldAccepted = true
    owner?.connectionStepped(.authenticated(login))
  }

  /// The server counts wrong (XEP-0198 4): it is told so, and left.
  func end(with error: StreamManagementError) { perform(machine.handle(.miscounted(error))) }

  // MARK: To the end

  /// Leaves politely: our closing tag, then the peer's, for which at most ``SessionLimits/closingPatience`` is waited; then
  /// the owner hears of the end, and a log-in that is under way fails.
  func close() {
    guard course == .open else { return }
    course = .closing
    guard let transport else { return finish(nil) }
    // This may be the program's last word.
    transport.handOver()
    deadline = clock.schedule(after: SessionLimits.closingPatience) { [weak self] in self?.finish(nil) }
    perform(machine.handle(.closeRequested))
  }

  /// Drops everything at once; the owner hears nothing any more, and a log-in that is under way is cancelled.
  func abandon() {
    owner = nil
    if !isOver {
      course = .over
      release()
      transport?.abort()
      transport = nil
    }
    login.take()?.resume(throwing: CancellationError())
  }

  /// It is over, for whatever reason: nothing that still comes is looked at. Nil: as we wanted it, or as it should be.
  private func finish(_ error: (any Error)?) {
    guard !isOver else { return }
    course = .over
    release()
    if let transport { TransportFarewell.begin(with: transport, patience: SessionLimits.closingPatience) }
    transport = nil
    clock.nextTurn { [self] in tellEnd(error) }
  }

  private func release() {
    (deadline, upgradeDeadline, silence) = (nil, nil, nil)
    connecting.take()?.cancel()
    deriving.take()?.cancel()
  }

  private func tellEnd(_ error: (any Error)?) {
    if let login = login.take() {
      login.resume(throwing: error ?? ConnectionError(.closed, "The log-in was cancelled."))
    } else {
      owner?.connectionEnded(error)
    }
  }
}

extension StreamConnection: TransportDelegate {
  func transportReceived(_ bytes: UnsafeRawBufferPointer) {
    silence = nil
    owner?.connectionReceivedBytes()
    guard !isOver else { return }
    var putOff: [StreamMachine.Action] = []
    // Looked up once for all stanzas in these bytes. After ``abandon()`` nothing more of them is read.
    let owner = owner
    do throws(DecodeError) {
      try decoder.feed(bytes) { take($0, for: owner, &putOff) }
    } catch {
      guard !isOver else { return }
      log?.remark("The server sent what cannot be read: \(error)")
      if isReady { owner?.connectionIsFaulty(losesStanza: decoder.losesStanza) }
      putOff += machine.handle(.decodingFailed(condition: error.condition, description: error.description))
    }
    perform(putOff)
  }

  func transportMadeRoom() { owner?.connectionMadeRoom() }

  func transportSecured(_ security: TransportSecurity) {
    log?.remark("\(security.version), \(security.cipher)\(security.isResumed ? ", resumed" : "")")
    owner?.connectionStepped(
      .secured(version: security.version, cipher: security.cipher, isResumed: security.isResumed))
    guard !isOver else { return }
    perform(machine.handle(.secured(channelBindings: security.channelBindings, version: security.version)))
  }

  func transportEnded(_ error: TransportError?) {
    transport = nil
    if let silence, course == .open { return silence.leave("hangs up") }
    wasLeftInResuming = error == nil && machine.isAskingToResume
    if course == .closing { return finish(nil) }
    // The stream was not closed with it, and may go on (XEP-0198 7).
    if machine.isReady, error == nil {
      return finish(ConnectionError(.serverGone, "The server closed the connection."))
    }
    var reason =
      error.map { ConnectionError($0) }
      ?? ConnectionError(.lost, "The server hung up while this side was waiting for \(machine.awaited).")
    if machine.isUpgrading { reason.code = .failedUpgrade }
    finish(reason)
  }

  /// Takes one event in.
  /// - Parameter putOff: gets actions after which nothing more of the present bytes may be read; they are carried out when
  ///   the decoder has stopped.
  private func take(
    _ event: StreamEvent, for owner: (any StreamConnectionOwner)?, _ putOff: inout [StreamMachine.Action]
  ) -> DecoderVerdict {
    if let log, case .element(let element) = event { log.received(element) }
    if course == .closing, case .closed = event { hasPeerAnsweredEnd = true }
    switch machine.received(event) {
    case .stanza(let element):
      owner?.connectionReceived(element)
    case .leftOut(let envelope, let reason):
      owner?.connectionLeftOut(envelope, reason)
    case .other(let element):
      owner?.connectionReceivedOther(element)
    case .actions(let actions):
      if actions.contains(where: \.stopsReading) {
        putOff = actions
        return .stop
      }
      perform(actions)
    }
    return isOver ? .stop : .more
  }
}

extension StreamMachine.Action {
  /// Whether nothing that follows in the same bytes may be read.
  fileprivate var stopsReading: Bool {
    switch self {
    case .restartDecoder, .registered, .asked, .reached, .redirect, .fail, .closed: true
    case .send, .startTLS, .deriveKeys, .loggedIn: false
    }
  }
}
