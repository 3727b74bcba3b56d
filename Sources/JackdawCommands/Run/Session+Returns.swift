// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

/// What a server says that it has, and sends back a moment later: that there is nobody of that address (ejabberd looks after it has answered).
extension Session {
  /// Whether a message to `to` may come back so: to somebody of our own server of whom we know nothing, or of a room there. Beside a log-in, as
  /// a single command's is, the server has more to answer, and that comes behind it.
  func mayReturn(to: JID) -> Bool {
    let own = identity.account
    guard !delivery.isForOneCommand, !to.sharesBare(with: own) else { return false }
    switch delivery.addressing(of: to) {
    case .room: return false
    case .occupant: return to.domain.hasSuffix("." + own.domain)
    case .person: break
    }
    guard to.sharesDomain(with: own) else { return false }
    return switch features[FriendManager.self].subscription(of: to) {
    case .to?, .both?: false
    default: true
    }
  }

  /// Waits until the server has a message to `to`, and has had the time to send it back.
  /// - Throws: as ``Delivery/confirm(_:within:)``.
  func confirm(_ id: String, to: JID, within patience: Duration) async throws {
    try await delivery.confirm([id], within: patience)
    guard mayReturn(to: to) else { return }
    await awaitReturns(within: patience)
    try Task.checkCancellation()
    if let error = delivery.failure(of: id) { throw error }
  }

  /// Waits until the server has answered once more: what it sent back until then has come. Where it does not answer, it has said that it has the
  /// messages all the same.
  func awaitReturns(within limit: Duration) async { try? await confirm(within: limit) }
}
