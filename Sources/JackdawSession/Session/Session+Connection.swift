// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML

/// What the connection of the moment tells: it is logged in, it brought something, it ended.
extension Session: StreamConnectionOwner {
  func connectionStepped(_ step: LoginStep) {
    if case .secured = step { ticketState.isInUse = false }
    onLoginStep?(step)
  }

  func connectionLoggedIn(_ outcome: LoginOutcome) {
    remember(outcome.memory)
    history.loginSucceeded()
    login = outcome
    passwordWasTaken(resuming: outcome.continuation.isResumed)
    guard begin(outcome) else { return }
    onOnline?()
    onLoginStep?(.bound(outcome.jid, roundTrips: outcome.roundTrips))
    if let warning = outcome.warning, warning != warningOfRefusal { environment.notice(warning) }
    for remark in outcome.remarks { environment.remark(remark) }
  }

  func connectionReceivedBytes() {
    onTraffic?()
    delivery.madeRoom()
  }

  func connectionMadeRoom() {
    wire.acknowledge()
    delivery.madeRoom()
  }

  func connectionReceived(_ stanza: Element) {
    // What is said of somebody comes after what they said before it.
    if stanza.name != "message" { intake.logArrivals() }
    router.route(stanza)
    wire.handled(isAllSafe: isAllSafe)
  }

  func connectionReceivedOther(_ element: Element) {
    if element.namespace == StreamManagement.namespace { return countStanzas(element) }
    if element.matches("features", Namespace.streams) { return identity.streamFeatures = element }
    environment.remark("Ignored <\(element.name)/> in '\(element.namespace)', which is not a stanza.")
  }

  func connectionEnded(_ error: (any Error)?) {
    let isAnswer = connection?.hasPeerAnsweredEnd ?? false
    connection = nil
    let isOurDoing = !leaving.isEmpty
    // It may not have had the last word where the line broke.
    if isOurDoing, isAnswer { farewellWasHeard() }
    let end = error ?? ConnectionError(.serverGone, "The server closed the stream.")
    let reason = history.explained(end, at: environment.clock.now)
    // A stream that either side has closed properly is over (XEP-0198 7), as is one that another log-in has taken over.
    let connectionError = reason as? ConnectionError ?? ConnectionError(.lost, "The server points to another server.")
    if !isOurDoing, connectionError.code == .conflict, !history.expectsEnd { renewResource() }
    history.ended(unacknowledgedInbound: wire.unacknowledgedInbound)
    streamIsCut(connectionError, mayResume: error != nil && !isOurDoing && mayGoOn(after: connectionError))
    releaseLeavers()
    onConnectionEnd?(isOurDoing ? nil : reason)
  }

  private func mayGoOn(after error: ConnectionError) -> Bool {
    guard error.code != .conflict, !history.isEndOfFlood(error), !history.expectsEnd else { return false }
    // A cut may come before the server's answer; twice in a row it is likelier that the server would not have given one.
    return error.condition == nil ? life.resumptionsWithoutAck < 2 : !life.mayReadRemains
  }
}
