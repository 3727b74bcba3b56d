// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// Who is blocked sees us gone, and who is let through again sees us as we are (XEP-0191 3.3 and 3.4). Not every server sees to it:
/// ejabberd tells neither, Prosody not the people of a domain, nor anybody when all are let through.
extension PresenceBoard: PresenceAudience {
  package func hide(from jids: Set<JID>) {
    guard own != nil else { return }
    tell(jids, Presence(kind: .unavailable))
  }

  package func show(to jids: Set<JID>) {
    if let own { tell(jids, context.links.extended(own)) }
  }

  private func tell(_ jids: Set<JID>, _ presence: Presence) {
    for jid in contacts(jids) where context.links.maySeePresence(jid) { send(presence, to: jid) }
  }

  /// They are let through again. No server asks how they are, as that is for a client that has just come (RFC 6121 4.3.1).
  func meetAgain(_ jid: JID) {
    guard own != nil else { return }
    show(to: [jid])
    for contact in contacts([jid]) where context.links.showsPresence(contact) {
      send(Presence(kind: .probe), to: contact.bare)
    }
  }

  private func send(_ presence: Presence, to jid: JID) {
    var presence = presence
    presence.to = jid
    // Without a stream all is told anew on the next one.
    try? context.stanzas.send(presence.element)
  }

  /// Those who are meant, of a domain all contacts there, in order; not ourselves.
  private func contacts(_ jids: Set<JID>) -> [JID] {
    let all = jids.flatMap { jid in
      jid.localpart == nil && jid.isBare ? context.links.friends?.contacts(at: jid.domain) ?? [] : [jid]
    }
    return Set(all).filter { $0.bare != context.identity.account }.sorted { $0.description < $1.description }
  }
}
