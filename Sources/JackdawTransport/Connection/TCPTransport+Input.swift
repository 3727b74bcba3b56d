// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

extension TCPTransport {
  /// One bounded read and what follows from it.
  func readTurn() {
    let buffer = received.space()
    guard let result = socket?.receive(into: buffer) else { return }
    switch result {
    case .moved(let count):
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      switch phase {
      case .clear: delegate?.transportReceived(bytes)
      case .handshaking(let session):
        session.receive(bytes)
        continueHandshake(session)
      case .secure(let session):
        session.receive(bytes)
        deliverDecrypted()
      case .ended: return
      }
    case .wouldBlock: return
    case .ended: end(cutOff)
    case .failed(let code):
      end(TransportError(.lost, "The connection to \(domain) broke: \(Socket.phrase(code)).", errno: code))
    }
  }

  /// FIN without close_notify: somebody may have cut the rest off (RFC 8446 section 6.1).
  private var cutOff: TransportError {
    let sentence =
      switch phase {
      case .handshaking: "The server of \(domain) hung up during the TLS handshake."
      case .clear, .secure, .ended: "The server of \(domain) hung up without a goodbye."
      }
    return TransportError(.lost, sentence)
  }

  func continueHandshake(_ session: TLSSession) {
    let step = session.handshake()
    takeEncrypted(session)
    writeTurn()
    switch step {
    case .underway: return
    case .failed(let error): end(error)
    case .done(let security):
      phase = .secure(session)
      delegate?.transportSecured(security)
      guard case .secure = phase else { return }
      if !plain.isEmpty { scheduleFlush() }
      if mayRead, session.hasInput { deliverDecrypted() }
    }
  }

  /// Decrypts what there is, hands it over in one piece, and sees to the end where that has come.
  func deliverDecrypted() {
    guard case .secure(let session) = phase else { return }
    let buffer = decrypted.space()
    var filled = 0
    var outcome = TLSSession.Reading.drained
    reading: while filled < buffer.count {
      outcome = session.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
      guard case .bytes(let count) = outcome else { break reading }
      filled += count
    }
    takeEncrypted(session)
    keepTicket(of: session)
    if filled > 0 { delegate?.transportReceived(UnsafeRawBufferPointer(rebasing: buffer[..<filled])) }
    guard !hasEnded else { return }
    switch outcome {
    case .bytes: scheduleRead()
    case .drained: if !wire.isEmpty { scheduleFlush() }
    case .closed: peerClosed(session)
    case .failed(let error):
      writeTurn()
      end(error)
    }
  }

  /// close_notify came. It is answered, with what the kernel still takes; if we are closing as well, our own bytes go
  /// first.
  private func peerClosed(_ session: TLSSession) {
    if isClosing, !hasSaidGoodbye {
      isInputFinished = true
      scheduleFlush()
      return
    }
    if !hasSaidGoodbye {
      writeTurn()
      session.finishWriting()
      takeEncrypted(session)
      writeTurn()
    }
    end(nil)
  }
}
