// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawHosts
import JackdawLoop
import JackdawProtocol
import JackdawTransport
import JackdawXML

/// The stream beyond its connections (XEP-0198): what is cut may go on.
extension Session {
  /// The connection of a stream is gone.
  /// - Parameter mayResume: false where the stream ended with it.
  func streamIsCut(_ reason: ConnectionError, mayResume: Bool) {
    intake.takeBack()
    intake.logArrivals()
    wire.cut()
    guard case .live = life.state, mayResume, let resumption = identity.bound.flatMap(wire.resumption)
    else { return loseStream(reason) }
    // Should this run not come back to it, the next one goes on from here.
    keepStream()
    patience = (environment.clock.now + (resumption.lifetime ?? SessionLimits.resumptionTime), reason)
    waitForExpiry()
    perform(life.handle(.cut))
  }

  /// There is nothing to go on with any more.
  /// - Parameters:
  ///   - handled: how many of our stanzas the server had, where it said so.
  ///   - forgets: a later run cannot go on with it either.
  func loseStream(_ reason: ConnectionError, handled: UInt32? = nil, forgets: Bool = true) {
    expiry = nil
    intake.takeBack()
    let isCertain = wire.end(handled: handled, reason: reason)
    // Servers keep no stream that they have ended over what was sent on it: that they gave it up is heard at the next log-in.
    let end = phase == .interrupted ? patience?.reason ?? reason : reason
    // Where it was us who could not read what they sent, or they sent more than they keep until it is acknowledged, nothing of ours is to
    // blame.
    let refusal = !life.mayReadRemains && !history.isEndOfFlood(end) && end.code == .refused ? end.condition : nil
    delivery.streamIsLost(isCertain: isCertain, refusal: refusal)
    requests.removeAll(reason: reason)
    if forgets { forgetStream() }
    perform(life.handle(.lost), handled: isCertain ? handled : nil)
  }

  /// - Parameter handled: how many of our stanzas the server had on the stream, where it said so.
  func perform(_ actions: [StreamLife.Action], handled: UInt32? = nil) {
    for action in actions {
      switch action {
      case .settleInherited(let name): delivery.earlierStream(name, handled: handled)
      case .announce(let phase): announce(phase)
      case .tellOfAcknowledgement: onResumedStreamAcknowledged?()
      }
    }
  }

  /// The core is told before the features.
  private func announce(_ phase: SessionPhase) {
    if phase == .ended { inbound.end() }
    intake.phaseChanged(to: phase)
    catchUp.phaseChanged(to: phase)
    archive.phaseChanged(to: phase)
    delivery.phaseChanged(to: phase)
    features.phaseChanged(to: phase)
  }

  // MARK: Earlier runs

  /// Takes over what earlier runs left unsent, once, before the first log-in of a single command: what the command says itself goes out behind
  /// that. A log that another program has locked is waited for, but not for ever.
  /// - Throws: `CancellationError`.
  func adoptLeftovers() async throws {
    let role = configuration.role
    guard role.isOneShot, role != .probe, !hasLookedForEarlierRun, let streams = stores.streams else { return }
    var areThere = false
    do {
      try await core.patiently {
        // Most find nothing, and do not pay for more than the look.
        areThere = try streams.hasLeftovers()
        guard areThere else { return }
        try delivery.adoptLeftovers()
      }
    } catch let error as CancellationError {
      throw error
    } catch {
      let isLocked = (error as? any StoreFailure)?.isBusy == true
      // Its own message does not wait for the log once more: both have to be done within `--timeout`.
      if isLocked { delivery.log = .givenUp }
      if isLocked, areThere {
        environment.notice(
          "The database is locked by another program: what earlier runs left unsent waits for the next command.")
      } else {
        environment.remark("What an earlier run left cannot be read: \(error)")
      }
    }
    hasLookedForEarlierRun = true
  }

  /// Once, for the first log-in of a program that remains online.
  func lookForEarlierRun() {
    guard !configuration.role.isOneShot, !hasLookedForEarlierRun else { return }
    hasLookedForEarlierRun = true
    guard let streams = stores.streams else { return }
    do {
      resource = try streams.resource(configuration.account.resource)
      adopt(try streams.loadStream())
    } catch {
      environment.remark("What an earlier run left cannot be read: \(error)")
    }
  }

  /// Somebody else logs in by the resource that was made up for this machine, as it is where its data were copied to another one: the next
  /// log-in here is by a new one, or the two would throw each other out for ever.
  func renewResource() {
    guard configuration.account.resource == nil, let streams = stores.streams, let name = resource else { return }
    do {
      try streams.forgetResource(name)
      resource = try streams.resource(nil)
    } catch {
      environment.remark("A new resource for this machine cannot be kept: \(error)")
    }
  }

  /// Goes on with the stream of an earlier run, if it is not too old.
  func adopt(_ left: (resumption: StreamResumption, time: Timestamp)?) {
    guard let (resumption, time) = left, resumption.jid.bare == identity.account, life.state == .none else { return }
    let age = Duration.milliseconds(max(0, environment.calendar().milliseconds - time.milliseconds))
    let lifetime = resumption.lifetime ?? SessionLimits.resumptionTime
    streamKept = environment.clock.now
    guard age < lifetime else {
      forgetStream()
      return delivery.earlierStream(resumption.id, handled: nil)
    }
    identity.bound = resumption.jid
    wire.adopt(resumption)
    perform(life.handle(.found(resumption.id)))
    patience = (
      environment.clock.now + (lifetime - age), ConnectionError(.lost, "The server has given up this session.")
    )
    waitForExpiry()
  }

  /// Keeps how far the stream is, before the server is told: a later run goes on there.
  /// - Parameter age: leaves it at what was kept since; how far it is is then no news.
  func keepStream(ifOlderThan age: Duration = .zero) {
    if let streamKept, environment.clock.now - streamKept < age { return }
    // What a single command leaves is looked for in the archive by the next one: nobody resumes its stream.
    guard !configuration.role.isOneShot else { return }
    // What is not in the log must come again.
    guard allIsLogged() else { return }
    guard let streams = stores.streams, let bound = identity.bound, let resumption = wire.resumption(of: bound)
    else { return }
    streamKept = environment.clock.now
    // The store has reported its error.
    try? streams.keepStream(resumption, at: environment.calendar())
  }

  private func forgetStream() {
    guard streamKept != nil else { return }
    streamKept = nil
    try? stores.streams?.forgetStream()
  }

  /// The server counts, and has said how to come back. What comes with that may settle everything: then nothing need be kept.
  func streamManagementWasEnabled() {
    environment.clock.nextTurn { [weak self] in
      guard let self, self.wire.isStreamManagementEnabled else { return }
      self.keepStream()
      self.delivery.streamIsNamed()
    }
  }

  /// What the server is asked for when it is to go on with the stream. What another program keeps from the log is to come again: the server
  /// forgets what we say we have, and this program may be killed before the log takes it.
  func askedResumption() -> StreamResumption? {
    guard let bound = identity.bound else { return nil }
    intake.takeBack()
    guard !intake.logArrivals(), inbound.isIdle, let resumption = wire.safeResumption(of: bound) else {
      return wire.resumption(of: bound)
    }
    intake.withhold()
    return resumption
  }

  /// No try to come back puts it off: the server counts from the cut.
  private func waitForExpiry() {
    guard let patience else { return }
    expiry = environment.clock.schedule(at: patience.end) { [weak self] in self?.loseStream(patience.reason) }
  }

  /// Where the server would like us to come back to, unless we are told where to connect.
  var resumptionPlace: HostPort? {
    guard configuration.plan.server == nil, let bound = identity.bound else { return nil }
    return wire.resumption(of: bound)?.location
  }

  /// Coming back failed. Where it may be the coming back that the server does not like, the next log-in is a fresh one.
  /// - Parameter wasLeft: the server left in the middle of it. So does Prosody 0.12 where it has more for us than it keeps, 500
  ///   stanzas, and what it says of that never gets out.
  func comingBackFailed(_ error: any Error, wasLeft: Bool) {
    guard phase == .interrupted, identity.bound.flatMap(wire.resumption) != nil else { return }
    wire.forgetLocation()
    let reason = error as? ConnectionError ?? ConnectionError(.lost, "The server points to another server.")
    let refusals: Set<ConnectionError.Code> = [.refused, .protocolViolation, .conflict]
    let isServersWord = refusals.contains(reason.code) && !reason.isUnverified
    guard wasLeft || isServersWord else { return waitForExpiry() }
    loseStream(reason)
  }

  /// The log-in is done: begins with the new stream, or resumes the old one.
  /// - Returns: false when the stream ended at once, as the server counts wrong.
  func begin(_ outcome: LoginOutcome) -> Bool {
    if case .lost(let handled) = outcome.continuation {
      loseStream(ConnectionError(.lost, "The server has given up this session."), handled: handled)
    }
    identity.bound = outcome.jid
    // Those of a stream that goes on may be yet to come: it has what it had.
    if let features = outcome.features { identity.streamFeatures = features }
    (identity.switchedOn, identity.activityAtLogin) = (outcome.switchedOn, outcome.activity)
    requests.account = outcome.jid
    wire.connection = connection
    guard case .resumed(let handled) = outcome.continuation else {
      intake.takeBack()
      perform(life.handle(.loggedIn(resumed: false)))
      if let enabled = outcome.management, !begin(counting: enabled) { return false }
      if configuration.role.isOneShot { delivery.streamIsReady() }
      return true
    }
    do throws(StreamManagementError) {
      try wire.resume(handled: handled)
    } catch {
      miscounted(error)
      return false
    }
    expiry = nil
    if intake.dropWithheld() { wire.forgetUnsafe() }
    let actions = life.handle(.loggedIn(resumed: true))
    keepStream()
    perform(actions, handled: handled)
    return true
  }

  /// The server counts since it bound the resource.
  /// - Returns: false when the stream ended at once.
  private func begin(counting enabled: Element) -> Bool {
    do throws(StreamManagementError) {
      try wire.isEnabled(by: enabled)
      return true
    } catch {
      miscounted(error)
      return false
    }
  }

  /// An element of XEP-0198 came.
  func countStanzas(_ element: Element) {
    do throws(StreamManagementError) {
      let isMore = try wire.received(element)
      if element.name == "a" { perform(life.handle(.acknowledged(isMore: isMore))) }
    } catch {
      miscounted(error)
    }
  }

  /// What was sent and what arrived cannot be told apart any more: nothing of this stream may go on.
  private func miscounted(_ error: StreamManagementError) {
    let connection = connection
    loseStream(ConnectionError(.protocolViolation, error.description))
    connection?.end(with: error)
  }

  /// Waits until the server has all that was sent so far, which proves that the connection stands (``CoreContext``).
  /// - Throws: ``RequestError``.
  package func confirm(within limit: Duration) async throws(RequestError) {
    try await core.confirm(within: limit)
  }
}
