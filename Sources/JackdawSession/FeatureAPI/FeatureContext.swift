// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol

/// All that a feature may touch.
@Client package struct FeatureContext {
  /// Sends stanzas that need no answer.
  package let stanzas: any StanzaSending
  /// Sends requests and waits for their answers.
  package let requests: IQTracker
  package let events: EventBus
  package let clock: any LoopClock
  /// An id that nobody can guess: 128 random bits.
  package let freshID: @Client () -> String
  /// The date and time of day.
  package let calendar: @Client () -> Timestamp
  /// Who we are.
  package let identity: SessionIdentity
  /// What kind of run this is.
  package let role: SessionRole
  package let stores: SessionStores
  /// Everything that this session can do, in the order of the feature list.
  package let features: [FeatureDescription]
  /// What features offer each other.
  package let links: FeatureLinks
  /// Our messages on their way out.
  package let delivery: Delivery
  /// Messages on their way in.
  package let intake: Intake
  /// Waits until the server has every stanza so far, at most so long.
  package let confirm: @Client (Duration) async throws(RequestError) -> Void
  private let ownTimeout: Duration
  /// What becomes of our entry when somebody removes us.
  package let whenRemoved: WhenRemoved
  /// Whom the user lets know what.
  package let disclosures: Disclosures
  /// Remarks for `-v`: what was ignored, and why.
  package let remark: @Client (String) -> Void
  /// One line that everybody is told, and that may hold words from the network.
  package let notice: @Client (String) -> Void

  /// Put together by the session, once, for all of its features.
  package init(
    stanzas: any StanzaSending, requests: IQTracker, events: EventBus, clock: any LoopClock,
    freshID: @escaping @Client () -> String, calendar: @escaping @Client () -> Timestamp, identity: SessionIdentity,
    role: SessionRole, stores: SessionStores, features: [FeatureDescription], delivery: Delivery, intake: Intake,
    confirm: @escaping @Client (Duration) async throws(RequestError) -> Void, timeout: Duration,
    whenRemoved: WhenRemoved = .keep, discloses: Set<Disclosure> = [], remark: @escaping @Client (String) -> Void,
    notice: @escaping @Client (String) -> Void
  ) {
    self.stanzas = stanzas
    self.requests = requests
    self.events = events
    self.clock = clock
    self.freshID = freshID
    self.calendar = calendar
    self.identity = identity
    self.role = role
    self.stores = stores
    self.features = features
    links = FeatureLinks(
      account: identity.account, features: features,
      capabilities: CapabilityCache(store: stores.capabilities, remark: remark),
      ownAccount: DiscoveryQuestion { () throws(RequestError) in
        do throws(RequestError) {
          return try await requests.information(of: identity.account, node: nil, timeout: timeout)
        } catch  where error.meansNotOffered {
          return DiscoveryInformation()
        }
      })
    self.delivery = delivery
    self.intake = intake
    self.confirm = confirm
    ownTimeout = timeout
    self.whenRemoved = whenRemoved
    disclosures = Disclosures(
      discloses, store: stores.log?.privacy, links: links, account: identity.account, clock: clock)
    self.remark = remark
    self.notice = notice
  }
  /// How long a request of a feature waits for its answer: the session's `--timeout`, or that of the command which asks.
  package var timeout: Duration {
    switch PatienceOfCommand.current {
    case nil: ownTimeout
    case .atLeast(let time): max(ownTimeout, time)
    case .exactly(let time): time
    }
  }
}
