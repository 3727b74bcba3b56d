// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawSession

/// What was told, and is to be told, of an account's connection, of who is there, and of who has read what. Each of several accounts has
/// its own: that one has no connection says nothing of another one's, nor does who is there for it, or what is said to them from it.
@Client final class AccountNews {
  var presence = PresenceDigest()
  /// Tells what was gathered of it.
  var presenceTimer: LoopTimer?
  var receipts = ReceiptDigest()
  var connection: ConnectionChanged.State?
  /// Why there was none, as it was last told; nil: there is one.
  var toldOffline: String?
  var wasOnline = false
  /// It was said that messages wait, and nothing has gone out since.
  var hasToldOfWaiting = false
}
