// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Where a session stands, as far as features are concerned.
package enum SessionPhase: Sendable, Equatable {
  /// A new stream with a newly bound resource: nothing is known to the server of what was asked before.
  case fresh
  /// The stream before went on (XEP-0198): nothing needs to be asked again.
  case resumed
  /// The connection is gone, and the server holds the stream for a while: either it is ``resumed``, and nothing of what we
  /// know has become wrong without our being told, or it is ``suspended`` in the end.
  case interrupted
  /// The stream is gone. Another may come.
  case suspended
  /// It is over for good.
  case ended
}
