// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawTransport

/// Sees a transport to its end for a connection that has no more use for it: what was said last, a stream error say,
/// still goes out, while nothing of what comes in is looked at.
@Client final class TransportFarewell: TransportDelegate {
  private var transport: (any Transport)?
  /// A transport does not keep its delegate. This one has no other owner, and lets go of itself at the end, which comes
  /// within the patience given.
  private var itself: TransportFarewell?

  /// Closes `transport` and keeps it alive until it has ended, at most for `patience`.
  static func begin(with transport: any Transport, patience: Duration) {
    let farewell = TransportFarewell(transport)
    farewell.itself = farewell
    transport.delegate = farewell
    transport.close(timeout: patience)
  }

  private init(_ transport: any Transport) { self.transport = transport }

  func transportReceived(_ bytes: UnsafeRawBufferPointer) {}

  func transportSecured(_ security: TransportSecurity) {}

  func transportEnded(_ error: TransportError?) {
    transport = nil
    itself = nil
  }
}
