// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawTransport

/// What the connections of one run have of TLS tickets.
struct TicketState {
  /// The newest, as long as the store does not have it.
  var ticket: TLSTicket?
  /// The handshake that is under way began with one.
  var isInUse = false
  /// A handshake that began with one came to nothing: this run does without.
  var isGivenUp = false
}

/// TLS connections that are resumed (RFC 8446 2.2).
extension Session {
  /// For a log-in's connection.
  var tickets: TLSTickets? {
    guard !ticketState.isGivenUp else { return nil }
    return TLSTickets(
      take: { [weak self] in self?.takeTicket(for: $0) }, keep: { [weak self] in self?.ticketArrived($0) })
  }

  private func takeTicket(for scope: String) -> TLSTicket? {
    let ticket =
      ticketState.ticket.take()
      ?? (configuration.keepsTickets ? stores.logins?.takeTicket() : nil)
      .map(TLSTicket.init)
    // One that was verified by other rules is gone with this: what it stands for is not to be trusted any more.
    guard let ticket, ticket.scope == scope, ticket.expiry > environment.calendar().seconds else { return nil }
    ticketState.isInUse = true
    return ticket
  }

  private func ticketArrived(_ ticket: TLSTicket) {
    ticketState.ticket = ticket
    if isOnline { keepTicket() }
  }

  /// What came with a log-in that has succeeded is for later runs, too. Whoever takes the token back is about to leave the machine to
  /// somebody else.
  func keepTicket() {
    guard configuration.keepsTickets, !configuration.revokesToken, let logins = stores.logins,
      let ticket = ticketState.ticket.take()
    else { return }
    logins.keepTicket(KeptTicket(ticket))
    // A command is about to write what it does, and this with it; a program that remains online may have nothing to write for hours.
    if !configuration.role.isOneShot { logins.settleTicket() }
  }

  /// Whether TLS came to nothing because of a ticket, perhaps: it is damaged, or the server does not do what it should with one that it
  /// does not know. Without it TLS may stand. A server that shows its certificate has passed the ticket over.
  func isTicketAtFault(_ error: ConnectionError) -> Bool {
    ticketState.isInUse && [.unsafe, .lost].contains(error.code) && !error.isOfCertificate
  }
}

extension TLSTicket {
  fileprivate init(_ kept: KeptTicket) {
    self.init(
      scope: kept.scope, session: kept.session, expiry: kept.expiry.seconds, verifiedUntil: kept.verifiedUntil.seconds)
  }
}

extension KeptTicket {
  fileprivate init(_ ticket: TLSTicket) {
    self.init(
      scope: ticket.scope, session: ticket.session, expiry: Timestamp(milliseconds: ticket.expiry * 1_000),
      verifiedUntil: Timestamp(milliseconds: ticket.verifiedUntil * 1_000))
  }
}
