// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol

/// Who is online and how: presence in and out (RFC 6121 4).
@Client package final class PresenceBoard: Feature {
  package nonisolated static let about = FeatureDescription(
    "RFC 6121 4", "Presence", scope: "own presence, contacts' resources with priorities, show and status")

  /// What one resource last said.
  package struct Resource: Sendable, Equatable {
    /// Who said it: a full JID, or a bare one where the sender gave no resource.
    package var jid: JID
    package var show: Presence.Show?
    /// Cut to ``SessionLimits/statusText``.
    package var status: String?
    package var priority: Int8
    /// When it said so; later wins between equal priorities.
    package var since: MonotonicTime

    func saysTheSame(as other: Resource) -> Bool {
      show == other.show && status == other.status && priority == other.priority
    }

    /// The order in which resources count: the higher priority, then the later word.
    fileprivate static func countsLess(_ left: Resource, _ right: Resource) -> Bool {
      (left.priority, left.since) < (right.priority, right.since)
    }
  }

  let context: FeatureContext
  private var contacts = PresenceTable(limit: SessionLimits.resources)
  /// Anybody may send presence to us: what people say whom we did not ask has a small room of its own, and is no news.
  private var strangers = PresenceTable(limit: SessionLimits.strangersResources)
  /// Those of them to whom we wrote have a room that the others cannot fill.
  private var correspondents = PresenceTable(limit: SessionLimits.strangersResources)
  /// Whom we wrote to in this session, contacts or not; bounded by ``SessionLimits/correspondents``.
  private var writtenTo: Set<JID> = []
  /// To whom the last message went: nothing is to be done for the next one to them, as most are.
  private var lastWrittenTo: JID?
  private var hearing: [Subscription] = []
  private var absences = Absences()
  /// Who was blocked or let through again on this stream. Bounded by ``SessionLimits/departures``.
  var unheard: Set<JID> = []
  /// How far the server has told, on this stream, who is there.
  private var telling = Telling.unasked
  /// What was last asked to be shown, `unavailable` too; nil before the first time.
  private var wanted: Presence?
  /// Called when somebody has said how we are to be shown; not when a new stream is told it once more.
  package var onAnnounced: (@Client () -> Void)?
  /// Told once a stream, as a flood would say it a thousand times.
  private var hasToldOfLimit = false

  /// The server tells presences after ours (RFC 6121 4.2.2), and says nowhere that these were all.
  private enum Telling {
    case unasked
    /// It has our presence.
    case begun
    /// It has answered what we sent after our presence: what it knows itself, of the accounts of our domain, has come.
    case told
  }

  /// What we told the server on this stream; nil while we are not shown as online.
  package private(set) var own: Presence? {
    didSet {
      context.links.isAvailable = own != nil
      context.links.shown = own?.show
      if oldValue == nil, own != nil { context.links.availableSince = context.clock.now }
    }
  }
  /// Whether the server has our presence, and may have more to tell: ``settle()`` makes it certain.
  package var isBeingTold: Bool { telling == .begun }

  /// Made by the session; hears from then on whom we write to.
  package init(_ context: FeatureContext) {
    self.context = context
    hearing = [
      context.events.on(MessageStateChanged.self) { [weak self] in self?.wrote(to: $0.to) },
      context.events.on(FriendChanged.self) { [weak self] in self?.noted($0) },
      context.events.on(BlockChanged.self) { [weak self] in self?.noted($0) },
    ]
    context.links.audience = self
  }

  package func install(in routes: RouteTable) {
    routes.onPresence { [unowned self] presence in take(presence) }
  }

  package func streamLost() {
    own = nil
    context.links.highestPriority = nil
    forgetAll()
    hasToldOfLimit = false
  }

  private func forgetAll() {
    contacts.removeAll()
    strangers.removeAll()
    correspondents.removeAll()
    absences.forgetAll()
    unheard = []
    telling = .unasked
  }

  // MARK: Ours

  /// Tells the server, and through it our contacts, how we are. After a reconnect it is told again.
  package func announce(_ presence: Presence) throws {
    try show(presence)
    wanted = presence
    onAnnounced?()
  }

  private func show(_ presence: Presence) throws {
    try context.stanzas.send(context.links.extended(presence).element)
    own = presence.kind == .available ? presence : nil
    // Who is not available is told nothing more, and all anew afterwards.
    if own == nil { forgetAll() } else if telling == .unasked { telling = .begun }
    if let own { context.links.highestPriority = max(context.links.highestPriority ?? own.priority, own.priority) }
    for tell in context.links.whenShown { tell(presence) }
  }

  /// What the server takes us for, on a stream of an earlier run, ends: what it told of others then it tells again.
  private func vanish() throws {
    let presence = Presence(kind: .unavailable)
    try context.stanzas.send(presence.element)
    for tell in context.links.whenShown { tell(presence) }
  }

  /// Whether somebody asked for us not to be shown, and nobody for the contrary since.
  package var isToBeUnseen: Bool { wanted?.kind == .unavailable }

  /// Makes the server treat us as available without taking messages (priority -1), for what it tells only then. Whoever
  /// wants not to be seen stays unseen; and a reconnect does not repeat this.
  /// - Parameters:
  ///   - storedMessagesAreKept: the server keeps what is stored for us, so that a moment of priority 0, which some need to tell
  ///     who asks to be a friend, does no harm.
  ///   - afresh: the server may take us for available already, and would not tell us again.
  package func beReachable(storedMessagesAreKept: Bool, afresh: Bool = false) throws {
    guard own == nil, !isToBeUnseen else { return }
    if afresh { try vanish() }
    if storedMessagesAreKept { try show(Presence()) }
    try show(Presence(priority: -1))
  }

  /// Shows us on a new stream as we were last shown, or, before that, as `first` says; not at all if we are not to be seen.
  /// - Parameter afresh: the server takes us for shown already, and would not tell us again of our contacts.
  func announceAtLogin(_ first: Presence?, afresh: Bool = false) throws {
    if afresh { try vanish() }
    guard let presence = wanted ?? first, presence.kind == .available else { return }
    try show(presence)
    wanted = presence
  }

  // MARK: Theirs

  /// The resources of a contact, best first: highest priority, then the most recent.
  package func resources(of contact: JID) -> [Resource] {
    known(contact.bare).sorted { Resource.countsLess($1, $0) }
  }

  private func known(_ contact: JID) -> [Resource] {
    contacts[contact] ?? correspondents[contact] ?? strangers[contact] ?? []
  }

  /// Waits until the server has told who is there, as far as it knows that itself: it handles the stanzas of a stream in order
  /// (RFC 6120 10.1), so the answer to a ping (XEP-0199) after our presence comes behind the presences of its own accounts.
  /// - Throws: as a request does; what was not told stays unknown.
  package func settle() async throws {
    let isAsked = telling != .unasked
    if let friends = context.links.friends {
      try await friends.settle()
    } else {
      try await context.requests.roundTrip(timeout: context.timeout)
    }
    if isAsked, telling == .begun { telling = .told }
  }

  /// `available`, `chat`, `away`, `xa`, `dnd` or `unavailable`: the best resource's; nil when it is not known: the server has
  /// not told yet, another server does not answer for its account, or the contact does not let us see it.
  package func summary(of contact: JID) -> String? {
    let contact = contact.bare
    if let best = known(contact).max(by: Resource.countsLess) { return best.show?.rawValue ?? "available" }
    switch context.links.friends?.subscription(of: contact) {
    // Servers say `unavailable` for anybody who does not show us more.
    case nil, .some(.none), .from: return nil
    case .to, .both: return absences.areKnown(of: contact) || isAbsentBySilence(contact) ? "unavailable" : nil
    }
  }

  /// Some servers tell nothing of those who are away.
  private func isAbsentBySilence(_ contact: JID) -> Bool {
    telling == .told && contact.domain == context.identity.account.domain && !mayBeUnheard(contact)
  }

  /// What they said is known no more; a device, a person, or a whole domain.
  func forget(_ who: JID) {
    if who.localpart == nil, who.isBare {
      contacts.leftDomain(who)
      absences.forgetDomain(who.domain)
    } else {
      _ = contacts.left(who)
      absences.forget(who.bare)
    }
  }

  /// When the last of a contact's resources went, as far as this session was told; nil while one is there.
  package func lastSeen(of contact: JID) -> Timestamp? {
    contacts[contact.bare] == nil ? absences.departure(of: contact.bare) : nil
  }

  /// How many seconds ago that was.
  package func timeAway(of contact: JID) -> Int64? {
    lastSeen(of: contact).map { max(0, (context.calendar().milliseconds - $0.milliseconds) / 1_000) }
  }

  private func take(_ presence: Presence) {
    // The server sends us our own presence back.
    guard let from = presence.from, from != context.identity.bound else { return }
    switch presence.kind {
    case .available: arrived(presence, from)
    case .unavailable: left(presence, from)
    case .subscribe, .subscribed, .unsubscribe, .unsubscribed, .probe, .error: break
    }
  }

  private func arrived(_ presence: Presence, _ from: JID) {
    let contact = from.bare
    let resource = Resource(
      jid: from, show: presence.show, status: presence.status.map(Self.cut), priority: presence.priority,
      since: context.clock.now)
    guard context.links.showsPresence(contact) else {
      if writtenTo.contains(contact) {
        _ = correspondents.arrived(resource)
      } else {
        _ = strangers.arrived(resource)
      }
      return
    }
    switch contacts.arrived(resource) {
    case .new:
      absences.end(of: contact)
    case .changed: break
    // What only payloads say anew is not for people.
    case .same: return
    case .refused: return tellOfLimit()
    }
    context.events.post(
      PresenceChanged(
        from: from, show: presence.show?.rawValue ?? "available", status: resource.status, priority: presence.priority))
  }

  /// A bare JID's unavailable speaks for all of its resources: servers send it when a subscription ends.
  private func left(_ presence: Presence, _ from: JID) {
    let contact = from.bare
    _ = strangers.left(from)
    _ = correspondents.left(from)
    // XEP-0203: a server that answers for somebody who has gone says since when.
    let stamp = Delay.all(in: presence.payloads).first?.stamp.clamped(notAfter: context.calendar())
    let hasContact = contacts[contact] != nil
    guard hasContact || context.links.showsPresence(contact) else { return }
    guard hasContact else {
      return absences.begin(of: contact, at: stamp)
    }
    let gone = contacts.left(from)
    guard gone.any else { return }
    if gone.last { absences.begin(of: contact, at: stamp ?? context.calendar()) }
    context.events.post(
      PresenceChanged(from: from, show: "unavailable", status: presence.status.map(Self.cut), priority: 0))
  }

  private func wrote(to jid: JID) {
    guard lastWrittenTo?.sharesBare(with: jid) != true else { return }
    let person = jid.bare
    lastWrittenTo = person
    guard writtenTo.count < SessionLimits.correspondents, writtenTo.insert(person).inserted else { return }
    for resource in strangers[person] ?? [] { _ = correspondents.arrived(resource) }
    _ = strangers.left(person)
  }

  private func tellOfLimit() {
    guard !hasToldOfLimit else { return }
    hasToldOfLimit = true
    context.remark("There are more presences than are kept: the rest is ignored.")
  }

  private static func cut(_ status: String) -> String {
    status.utf8.count <= SessionLimits.statusText
      ? status : String(status.unicodeScalars.prefix(SessionLimits.statusText))
  }
}
