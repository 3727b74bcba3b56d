// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// Where a friendship stands, from our side: RFC 6121 appendix A as a value.
///
/// The nine states of the appendix are the combinations of two halves that never look at each other: what we may see of
/// them, and what they may see of us.
package struct SubscriptionState: Hashable, Sendable {
  /// One direction.
  package enum Half: Hashable, Sendable, CaseIterable {
    case none
    /// Asked for, not answered.
    case pending
    case subscribed
  }

  /// Do we see their presence? `.pending`: we have asked.
  package var ours: Half
  /// Do they see ours? `.pending`: they have asked.
  package var theirs: Half
  /// Their request, should it come, is granted beforehand (RFC 6121 3.4).
  package var isPreapproved: Bool

  package init(ours: Half = .none, theirs: Half = .none, isPreapproved: Bool = false) {
    self.ours = ours
    self.theirs = theirs
    self.isPreapproved = isPreapproved
  }

  /// The state that a roster entry shows. Whether they have asked is not in the roster (RFC 6121 2.1.2.2): `theyAsked`.
  package init(_ item: RosterItem?, theyAsked: Bool) {
    let subscription = item?.subscription ?? .none
    let ours: Half = subscription == .to || subscription == .both ? .subscribed : item?.ask == true ? .pending : .none
    let theirs: Half = subscription == .from || subscription == .both ? .subscribed : theyAsked ? .pending : .none
    self.init(ours: ours, theirs: theirs, isPreapproved: item?.approved ?? false)
  }

  /// The `subscription` attribute that belongs to this state.
  package var subscription: RosterItem.Subscription {
    switch (ours == .subscribed, theirs == .subscribed) {
    case (false, false): .none
    case (true, false): .to
    case (false, true): .from
    case (true, true): .both
    }
  }

  /// The four stanzas that change a subscription.
  package enum Step: Hashable, Sendable, CaseIterable {
    case subscribe, unsubscribe, subscribed, unsubscribed

    /// Nil for presence that is no such stanza.
    package init?(_ kind: Presence.Kind) {
      switch kind {
      case .subscribe: self = .subscribe
      case .unsubscribe: self = .unsubscribe
      case .subscribed: self = .subscribed
      case .unsubscribed: self = .unsubscribed
      case .available, .unavailable, .probe, .error: return nil
      }
    }

    /// The type of its stanza.
    package var kind: Presence.Kind {
      switch self {
      case .subscribe: .subscribe
      case .unsubscribe: .unsubscribe
      case .subscribed: .subscribed
      case .unsubscribed: .unsubscribed
      }
    }
  }

  /// We send `step` (appendix A.2).
  /// - Returns: true when the server passes it on to the other side.
  package mutating func send(_ step: Step) -> Bool {
    switch step {
    case .subscribe:
      if ours == .none { ours = .pending }
      return true
    case .unsubscribe:
      ours = .none
      return true
    case .subscribed:
      switch theirs {
      case .pending:
        theirs = .subscribed
        return true
      case .none:
        isPreapproved = true
        return false
      case .subscribed:
        return false
      }
    case .unsubscribed:
      isPreapproved = false
      if theirs == .none { return false }
      theirs = .none
      return true
    }
  }

  /// They have sent `step` (appendix A.3).
  /// - Returns: true when it is news that a client is told; false when it changes nothing.
  package mutating func receive(_ step: Step) -> Bool {
    switch step {
    case .subscribe:
      guard theirs == .none else { return false }
      if isPreapproved {
        theirs = .subscribed
        isPreapproved = false
        return false
      }
      theirs = .pending
      return true
    case .unsubscribe:
      if theirs == .none { return false }
      theirs = .none
      return true
    case .subscribed:
      guard ours == .pending else { return false }
      ours = .subscribed
      return true
    case .unsubscribed:
      if ours == .none { return false }
      ours = .none
      return true
    }
  }

  /// Whether a roster that shows this state shows what `step` of ours was to lead to. Who has asked is not in a roster;
  /// and the other side may have gone on meanwhile.
  /// - Parameter goal: what ``send(_:)`` came to.
  func hasReached(_ goal: SubscriptionState, by step: Step) -> Bool {
    switch step {
    case .subscribe: ours != .none
    case .unsubscribe: ours == .none
    case .subscribed: theirs == .subscribed || (isPreapproved && goal.theirs != .subscribed)
    case .unsubscribed: theirs != .subscribed && !isPreapproved
    }
  }
}
