// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

extension TCPTransport {
  /// Sends what the turn has queued, begins a handshake that waits for its turn, and says goodbye when all is out.
  func flush() {
    switch phase {
    case .ended: return
    case .handshaking(let session) where !session.hasBegun: continueHandshake(session)
    case .clear, .handshaking, .secure: writeTurn()
    }
  }

  /// Gives the kernel what it takes, a bounded amount a turn.
  func writeTurn() {
    var budget = TransportLimits.writePerTurn
    while budget > 0, !hasEnded, !isOutputBroken {
      encrypt()
      guard !wire.isEmpty else { break }
      guard let result = wire.withBytes({ socket?.send(UnsafeRawBufferPointer(rebasing: $0.prefix(budget))) }) else {
        return
      }
      if isNegotiating { socket?.acknowledgeQuickly() }
      switch result {
      case .moved(let count):
        wire.remove(first: count)
        written += count
        budget -= count
      case .wouldBlock:
        updateInterest()
        return
      case .ended, .failed:
        // The peer is gone, but what it said last may still be there to be read, and says more than this error does.
        breakOutput()
      }
    }
    guard !hasEnded else { return }
    // The kernel may have taken, with the last of this turn's bytes, all that was encrypted: it is asked for room for more.
    encrypt()
    if isClosing, pendingOutput == 0 { sayGoodbye() }
    updateInterest()
  }

  /// Encrypts ahead of the kernel, but not everything: a queue that the peer does not take stays as it is.
  private func encrypt() {
    guard case .secure(let session) = phase else { return }
    while wire.count < TransportLimits.encryptedAhead, !plain.isEmpty || !ahead.isEmpty {
      var error: TransportError?
      func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        error = session.write(bytes)
        return error == nil
      }
      if ahead.isEmpty || plain.isTorn { plain.take(write) } else { ahead.take(write) }
      if let error {
        clock.nextTurn { [weak self] in self?.end(error) }
        return breakOutput()
      }
      takeEncrypted(session)
    }
  }

  /// Moves what TLS wants sent to the queue for the kernel.
  func takeEncrypted(_ session: TLSSession) {
    guard !isOutputBroken else { return session.takeOutput { _ in } }
    session.takeOutput { wire.append($0) }
    guard wire.count > TransportLimits.encryptedBacklog else { return }
    breakOutput()
    clock.nextTurn { [weak self] in
      self?.end(TransportError(.tls, "The server keeps asking for TLS answers without reading them."))
    }
  }

  func breakOutput() {
    isOutputBroken = true
    wire.removeAll()
    plain.removeAll()
    ahead.removeAll()
  }

  /// close_notify and FIN, after everything else.
  private func sayGoodbye() {
    guard !hasSaidGoodbye else {
      socket?.finishSending()
      if isInputFinished { clock.nextTurn { [weak self] in self?.end(nil) } }
      return
    }
    hasSaidGoodbye = true
    if case .secure(let session) = phase {
      session.finishWriting()
      takeEncrypted(session)
    }
    // Comes back here when that is out.
    writeTurn()
  }
}
