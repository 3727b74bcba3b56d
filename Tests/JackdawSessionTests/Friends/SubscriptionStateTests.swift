// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import Testing

@testable import JackdawSession

/// Every row of RFC 6121 appendix A.2 and A.3, and pre-approval (3.4).
@Suite struct SubscriptionStateTests {
  /// The appendix's names of its nine states (A.1).
  enum Named: String, CaseIterable, Sendable {
    case nothing = "None"
    case noneOut = "None + Pending Out"
    case noneIn = "None + Pending In"
    case noneOutIn = "None + Pending Out+In"
    case to = "To"
    case toIn = "To + Pending In"
    case from = "From"
    case fromOut = "From + Pending Out"
    case both = "Both"

    var state: SubscriptionState {
      switch self {
      case .nothing: SubscriptionState()
      case .noneOut: SubscriptionState(ours: .pending)
      case .noneIn: SubscriptionState(theirs: .pending)
      case .noneOutIn: SubscriptionState(ours: .pending, theirs: .pending)
      case .to: SubscriptionState(ours: .subscribed)
      case .toIn: SubscriptionState(ours: .subscribed, theirs: .pending)
      case .from: SubscriptionState(theirs: .subscribed)
      case .fromOut: SubscriptionState(ours: .pending, theirs: .subscribed)
      case .both: SubscriptionState(ours: .subscribed, theirs: .subscribed)
      }
    }

    var subscription: RosterItem.Subscription {
      switch self {
      case .nothing, .noneOut, .noneIn, .noneOutIn: .none
      case .to, .toIn: .to
      case .from, .fromOut: .from
      case .both: .both
      }
    }
  }

  /// One row: the state before, whether the stanza is passed on (to the other side, or to the client), the state after.
  struct Row: Sendable, CustomTestStringConvertible {
    var step: SubscriptionState.Step
    var before: Named
    var isPassedOn: Bool
    var after: Named

    init(_ step: SubscriptionState.Step, _ before: Named, _ isPassedOn: Bool, _ after: Named? = nil) {
      self.step = step
      self.before = before
      self.isPassedOn = isPassedOn
      self.after = after ?? before
    }

    var testDescription: String { "\(step) in \(before.rawValue)" }
  }

  static let outbound: [Row] = [
    // A.2.1
    Row(.subscribe, .nothing, true, .noneOut), Row(.subscribe, .noneOut, true),
    Row(.subscribe, .noneIn, true, .noneOutIn),
    Row(.subscribe, .noneOutIn, true), Row(.subscribe, .to, true), Row(.subscribe, .toIn, true),
    Row(.subscribe, .from, true, .fromOut), Row(.subscribe, .fromOut, true), Row(.subscribe, .both, true),
    // A.2.2
    Row(.unsubscribe, .nothing, true), Row(.unsubscribe, .noneOut, true, .nothing), Row(.unsubscribe, .noneIn, true),
    Row(.unsubscribe, .noneOutIn, true, .noneIn), Row(.unsubscribe, .to, true, .nothing),
    Row(.unsubscribe, .toIn, true, .noneIn), Row(.unsubscribe, .from, true), Row(.unsubscribe, .fromOut, true, .from),
    Row(.unsubscribe, .both, true, .from),
    // A.2.3: where nobody has asked it is a pre-approval, which is tested below.
    Row(.subscribed, .noneIn, true, .from), Row(.subscribed, .noneOutIn, true, .fromOut),
    Row(.subscribed, .toIn, true, .both), Row(.subscribed, .from, false), Row(.subscribed, .fromOut, false),
    Row(.subscribed, .both, false),
    // A.2.4
    Row(.unsubscribed, .nothing, false), Row(.unsubscribed, .noneOut, false),
    Row(.unsubscribed, .noneIn, true, .nothing),
    Row(.unsubscribed, .noneOutIn, true, .noneOut), Row(.unsubscribed, .to, false),
    Row(.unsubscribed, .toIn, true, .to),
    Row(.unsubscribed, .from, true, .nothing), Row(.unsubscribed, .fromOut, true, .noneOut),
    Row(.unsubscribed, .both, true, .to),
  ]

  static let inbound: [Row] = [
    // A.3.1
    Row(.subscribe, .nothing, true, .noneIn), Row(.subscribe, .noneOut, true, .noneOutIn),
    Row(.subscribe, .noneIn, false),
    Row(.subscribe, .noneOutIn, false), Row(.subscribe, .to, true, .toIn), Row(.subscribe, .toIn, false),
    Row(.subscribe, .from, false), Row(.subscribe, .fromOut, false), Row(.subscribe, .both, false),
    // A.3.2
    Row(.unsubscribe, .nothing, false), Row(.unsubscribe, .noneOut, false), Row(.unsubscribe, .noneIn, true, .nothing),
    Row(.unsubscribe, .noneOutIn, true, .noneOut), Row(.unsubscribe, .to, false), Row(.unsubscribe, .toIn, true, .to),
    Row(.unsubscribe, .from, true, .nothing), Row(.unsubscribe, .fromOut, true, .noneOut),
    Row(.unsubscribe, .both, true, .to),
    // A.3.3
    Row(.subscribed, .nothing, false), Row(.subscribed, .noneOut, true, .to), Row(.subscribed, .noneIn, false),
    Row(.subscribed, .noneOutIn, true, .toIn), Row(.subscribed, .to, false), Row(.subscribed, .toIn, false),
    Row(.subscribed, .from, false), Row(.subscribed, .fromOut, true, .both), Row(.subscribed, .both, false),
    // A.3.4
    Row(.unsubscribed, .nothing, false), Row(.unsubscribed, .noneOut, true, .nothing),
    Row(.unsubscribed, .noneIn, false),
    Row(.unsubscribed, .noneOutIn, true, .noneIn), Row(.unsubscribed, .to, true, .nothing),
    Row(.unsubscribed, .toIn, true, .noneIn), Row(.unsubscribed, .from, false),
    Row(.unsubscribed, .fromOut, true, .from), Row(.unsubscribed, .both, true, .from),
  ]

  /// Without those of A.2.3 in which nobody has asked.
  @Test("Every row of RFC 6121 appendix A is in our tables") func everyRowIsThere() {
    func count(_ rows: [Row]) -> Int { Set(rows.map(\.testDescription)).count }
    #expect(count(Self.outbound) == 9 * 4 - 3)
    #expect(count(Self.inbound) == 9 * 4)
  }

  @Test("What we send changes the state as RFC 6121 A.2 says", arguments: outbound)
  func whatWeSendChangesTheStateAsA2Says(_ row: Row) {
    var state = row.before.state
    let isPassedOn = state.send(row.step)
    #expect(isPassedOn == row.isPassedOn)
    #expect(state == row.after.state)
  }

  @Test("What the contact sends changes the state as RFC 6121 A.3 says", arguments: inbound)
  func whatTheySendChangesTheStateAsA3Says(_ row: Row) {
    var state = row.before.state
    let isPassedOn = state.receive(row.step)
    #expect(isPassedOn == row.isPassedOn)
    #expect(state == row.after.state)
  }

  @Test("Consent without a request approves a later one", arguments: [Named.nothing, .noneOut, .to])
  func consentWithoutARequestApprovesOneToCome(_ before: Named) {
    var state = before.state
    var isPassedOn = state.send(.subscribed)
    #expect(!isPassedOn)
    #expect(state.isPreapproved)
    #expect(state.ours == before.state.ours)
    #expect(state.theirs == before.state.theirs)
    // Once more changes nothing.
    let once = state
    isPassedOn = state.send(.subscribed)
    #expect(!isPassedOn)
    #expect(state == once)

    // The request comes: it is granted, and nobody is asked.
    var asked = state
    isPassedOn = asked.receive(.subscribe)
    #expect(!isPassedOn)
    #expect(asked.theirs == .subscribed)
    #expect(!asked.isPreapproved)

    // Or the approval is taken back (3.4.2), of which the other side is not told.
    isPassedOn = state.send(.unsubscribed)
    #expect(!isPassedOn)
    #expect(state == before.state)
  }

  @Test("The state is read from the roster entry and the open requests", arguments: Named.allCases)
  func theStateIsReadFromTheRosterAndWhoHasAsked(_ named: Named) throws {
    let item = RosterItem(
      jid: try JID("bob@example.org"), subscription: named.subscription, ask: named.state.ours == .pending)
    #expect(SubscriptionState(item, theyAsked: named.state.theirs == .pending) == named.state)
    #expect(named.state.subscription == named.subscription)
  }

  @Test("Who is not on the list has no subscription, and may have an open request") func whoIsNotOnTheListHasNone() {
    #expect(SubscriptionState(nil, theyAsked: false) == Named.nothing.state)
    #expect(SubscriptionState(nil, theyAsked: true) == Named.noneIn.state)
  }

  /// `ask` beside a subscription that is there already means nothing.
  @Test("An entry with a subscription and an ask counts as subscribed") func aSubscriptionIsMoreThanAnAsk() throws {
    let item = RosterItem(jid: try JID("bob@example.org"), subscription: .to, ask: true, approved: true)
    #expect(SubscriptionState(item, theyAsked: false) == SubscriptionState(ours: .subscribed, isPreapproved: true))
  }

  @Test("Each step has its type of presence", arguments: SubscriptionState.Step.allCases)
  func aStepHasItsPresence(_ step: SubscriptionState.Step) {
    #expect(SubscriptionState.Step(step.kind) == step)
  }

  @Test("Other types of presence are not a step", arguments: [Presence.Kind.available, .unavailable, .probe, .error])
  func otherPresenceIsNoStep(_ kind: Presence.Kind) {
    #expect(SubscriptionState.Step(kind) == nil)
  }

  /// What the server shows after each step, and what it showed before, for the confirmation of a step.
  @Test(
    "A step is confirmed by the roster state that it leads to",
    arguments: outbound.filter { $0.before != $0.after && $0.before.state != $0.after.state })
  func aStepIsConfirmedByTheRosterThatItLeadsTo(_ row: Row) {
    /// A roster does not show who has asked.
    func shown(_ state: SubscriptionState) -> SubscriptionState {
      var state = state
      if state.theirs == .pending { state.theirs = .none }
      return state
    }
    var goal = row.before.state
    _ = goal.send(row.step)
    #expect(shown(row.after.state).hasReached(goal, by: row.step))
    let before = shown(row.before.state)
    if before != shown(row.after.state) { #expect(!before.hasReached(goal, by: row.step)) }
  }

  @Test("An approval is confirmed by the roster's approval or the granted subscription")
  func anApprovalIsConfirmedByItself() {
    var goal = SubscriptionState()
    _ = goal.send(.subscribed)
    #expect(!SubscriptionState().hasReached(goal, by: .subscribed))
    #expect(SubscriptionState(isPreapproved: true).hasReached(goal, by: .subscribed))
    #expect(SubscriptionState(theirs: .subscribed).hasReached(goal, by: .subscribed))
    #expect(!SubscriptionState(isPreapproved: true).hasReached(SubscriptionState(), by: .unsubscribed))
    // An approval that was there before does not confirm that a request was granted.
    let granted = SubscriptionState(theirs: .subscribed, isPreapproved: true)
    #expect(!SubscriptionState(isPreapproved: true).hasReached(granted, by: .subscribed))
  }
}
