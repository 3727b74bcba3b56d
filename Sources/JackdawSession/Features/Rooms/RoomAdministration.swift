// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
package import JackdawXML

/// What moderators, admins and owners do with a room (XEP-0045 8 to 10). Each step returns when the room has confirmed it; whether
/// the user may do it is the room's to say.
@Client package struct RoomAdministration {
  /// XEP-0045 section 15.1.
  nonisolated static let admin = "http://jabber.org/protocol/muc#admin"
  nonisolated static let owner = "http://jabber.org/protocol/muc#owner"

  let requests: IQTracker
  let timeout: Duration

  /// - Parameter timeout: how long each request waits for the room's answer.
  package init(_ requests: IQTracker, timeout: Duration) {
    self.requests = requests
    self.timeout = timeout
  }

  // MARK: Occupants

  /// Changes what an occupant may do (XEP-0045 8.2 to 8.4, 9.6, 9.7): `.none` removes them from the room, `.visitor` takes their
  /// voice, `.participant` gives it.
  package func setRole(
    _ role: RoomRole, of nick: String, in room: JID, reason: String? = nil
  ) async throws(RequestError) {
    try await change(room, Self.item(["nick": nick, "role": role.rawValue], reason))
  }

  /// Changes what somebody is to the room (XEP-0045 9.1, 9.3, 9.4, 10.3 to 10.7): `.outcast` bans them, `.none` takes a ban or any
  /// other affiliation away.
  package func setAffiliation(
    _ affiliation: RoomAffiliation, of jid: JID, in room: JID, reason: String? = nil
  ) async throws(RequestError) {
    let item = Self.item(["affiliation": affiliation.rawValue, "jid": jid.bare.description], reason)
    try await change(room, item)
  }

  /// Who has an affiliation (XEP-0045 9.2, 9.5, 10.5, 10.8). Of a list that never ends as many as ``FeatureLimits/roomMembers``;
  /// whose address is none is left out.
  package func members(_ affiliation: RoomAffiliation, of room: JID) async throws(RequestError) -> [RoomMember] {
    let item = Element("item", Self.admin, ["affiliation": affiliation.rawValue])
    let answer = try await ask(.get, room, Element("query", Self.admin, [item]))
    guard let query = answer, query.matches("query", Self.admin) else { throw .unexpectedPayload }
    return Array(query.children.compactMap { RoomMember($0, affiliation) }.prefix(FeatureLimits.roomMembers))
  }

  private func change(_ room: JID, _ item: Element) async throws(RequestError) {
    _ = try await ask(.set, room, Element("query", Self.admin, [item]))
  }

  private static func item(_ attributes: KeyValuePairs<String, String?>, _ reason: String?) -> Element {
    Element("item", admin, attributes, reason.map { [Element("reason", admin, text: $0)] } ?? [])
  }

  // MARK: The room

  /// The room's configuration, as its owners see it (XEP-0045 10.2).
  package func configuration(of room: JID) async throws(RequestError) -> RoomConfiguration {
    let answer = try await ask(.get, room, Element("query", Self.owner))
    guard let query = answer, query.matches("query", Self.owner),
      let form = query.child("x", DataForm.namespace).flatMap({ try? DataForm($0) }), form.kind == .form
    else { throw .unexpectedPayload }
    return RoomConfiguration(form)
  }

  /// Configures the room. A new room, which nobody else may enter before that, is opened by it (XEP-0045 10.1.3).
  /// - Parameter form: of ``RoomConfiguration/filled(with:)``; nil: as the service makes rooms (an instant room, XEP-0045 10.1.2).
  package func configure(_ room: JID, _ form: DataForm? = nil) async throws(RequestError) {
    let form = form ?? DataForm(kind: .submit)
    _ = try await ask(.set, room, Element("query", Self.owner, [form.element]))
  }

  /// Destroys the room (XEP-0045 10.9): everybody has to leave, and is told why and where else to go.
  package func destroy(
    _ room: JID, reason: String? = nil, alternative: JID? = nil
  ) async throws(RequestError) {
    let destroy = Element(
      "destroy", Self.owner, ["jid": alternative?.bare.description],
      reason.map { [Element("reason", Self.owner, text: $0)] } ?? [])
    _ = try await ask(.set, room, Element("query", Self.owner, [destroy]))
  }

  // MARK: Registration

  /// What the room wants to know of somebody who wants to be a member (XEP-0045 7.10).
  package func registration(with room: JID) async throws(RequestError) -> RoomRegistration {
    let answer = try await ask(.get, room, Element("query", RegistrationForm.namespace))
    guard let registration = answer.flatMap({ RoomRegistration($0) }) else { throw .unexpectedPayload }
    return registration
  }

  /// Asks to be a member. The room may do it at once, or have an admin approve it first.
  /// - Parameter query: what ``registration(with:)`` asks, filled in (`RegistrationForm.filled(with:)`).
  package func register(with room: JID, _ query: Element) async throws(RequestError) {
    _ = try await ask(.set, room, query)
  }

  /// Is no member any more (XEP-0077 3.2).
  package func unregister(from room: JID) async throws(RequestError) {
    let remove = Element("remove", RegistrationForm.namespace)
    _ = try await ask(.set, room, Element("query", RegistrationForm.namespace, [remove]))
  }

  /// - Returns: the answer's payload.
  func ask(_ kind: IQ.Kind, _ room: JID, _ payload: Element) async throws(RequestError) -> Element? {
    try await requests.request(IQ(kind: kind, to: room.bare, payload: payload), timeout: .after(timeout)).payload
  }
}

/// Somebody who is something to a room.
package struct RoomMember: Sendable, Equatable {
  /// Whom it is about; of a ban a whole domain, too.
  package var jid: JID
  /// What they are to it.
  package var affiliation: RoomAffiliation
  /// What they are called there, where it is reserved for them or they are inside. From the network.
  package var nick: String?
  /// Why, where the room keeps it: of a ban, mostly. From the network.
  package var reason: String?

  package init(jid: JID, affiliation: RoomAffiliation, nick: String? = nil, reason: String? = nil) {
    self.jid = jid
    self.affiliation = affiliation
    self.nick = nick
    self.reason = reason
  }

  /// Reads an `<item/>` of a list of those with an affiliation; nil when it is none, has no address, or another affiliation.
  init?(_ item: Element, _ affiliation: RoomAffiliation) {
    guard item.matches("item", RoomAdministration.admin), let jid = (try? item.jid("jid")) ?? nil,
      item.attribute("affiliation") == nil || item.attribute("affiliation", equals: affiliation.rawValue)
    else { return nil }
    self.init(
      jid: jid, affiliation: affiliation, nick: item.attribute("nick").nonEmpty,
      reason: item.text(of: "reason", RoomAdministration.admin).nonEmpty)
  }
}
