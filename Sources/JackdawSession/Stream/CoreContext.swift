// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// What the parts of a session's core share.
@Client struct CoreContext {
  let role: SessionRole
  let wire: StanzaWire
  let requests: IQTracker
  let events: EventBus
  let clock: any LoopClock
  /// The date and time of day.
  let calendar: @Client () -> Timestamp
  /// 128 random bits as text.
  let freshID: @Client () -> String
  /// An id for a message to a person that is written now.
  let messageID: @Client (Timestamp) -> String
  let identity: SessionIdentity
  /// How long the server's word on a message may take, `--timeout`.
  let timeout: Duration
  /// Remarks for `-v`.
  let remark: @Client (String) -> Void

  /// Where the last stanza that was sent stands on a stream that may be resumed; nil on any other.
  var place: StreamPlace? { identity.bound.flatMap { wire.place(of: $0) } }

  /// Enables stream management (XEP-0198) if the server offers it and it is not enabled yet.
  func enableStreamManagement() {
    if identity.offersStreamManagement { wire.enable(resumable: !role.isOneShot) }
  }

  /// Waits until the server has all that was sent so far, which proves that the connection stands: the server says so
  /// (XEP-0198), or answers a ping that was sent after it.
  /// - Throws: ``RequestError``.
  func confirm(within limit: Duration) async throws(RequestError) {
    guard wire.isStreamManagementEnabled else { return try await requests.roundTrip(timeout: limit) }
    try await wire.acknowledged(within: limit)
  }
}
