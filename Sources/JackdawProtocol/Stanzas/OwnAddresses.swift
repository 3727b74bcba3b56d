// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The addresses for which our own server answers: the account, bare and with its resource, and the domain.
package struct OwnAddresses: Sendable {
  private let account: JID

  /// - Parameter account: the full JID that the server bound; a bare JID stands for any resource, as before one is bound.
  package init(_ account: JID) { self.account = account }

  /// Whether an answer from `sender` is one to a request that was sent to `recipient` (RFC 6120 8.1.2.1).
  ///
  /// A server stamps the true `from` on all that it delivers for others, so what comes without one is our own server's word.
  /// It counts where our own server was asked: by a request without `to`, which goes to the account at its server
  /// (RFC 6120 10.3.3), to the account itself, or to the domain, as in XEP-0077's examples. A request without `to` may also
  /// be answered with any of our own addresses as `from`, which no one else can have. Every other answer has to come from
  /// exactly the address that was asked.
  package func acceptsAnswer(from sender: JID?, to recipient: JID?) -> Bool {
    switch (sender, recipient) {
    case (nil, nil): true
    case (let sender?, let recipient?): sender == recipient
    case (let own?, nil), (nil, let own?): contains(own)
    }
  }

  private func contains(_ jid: JID) -> Bool {
    if jid == account.server || jid == account.bare { return true }
    return jid.bare == account.bare && (account.isBare || jid.resource == account.resource)
  }
}
