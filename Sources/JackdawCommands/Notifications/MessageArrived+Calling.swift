// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

extension MessageArrived {
  /// It wants attention (XEP-0224).
  var wantsAttention: Bool { payload?.content?.kind == .attention }

  /// Somebody wants to be heard, though they said nothing.
  var callsForPeople: Bool { wantsAttention || payload?.content?.kind == .call }

  /// Who invites into a room, as far as it is said; else whoever sent it.
  var inviter: JID { (payload?.content?.person).flatMap { try? JID(received: $0) } ?? from }
}
