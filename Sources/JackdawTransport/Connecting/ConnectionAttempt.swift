// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// One address that is being tried: the TCP connection, and the handshake where the target has direct TLS.
@Client final class ConnectionAttempt: TransportDelegate {
  enum Event {
    case connected
    case secured
    case failed(TransportError)
  }

  private let attempt: AddressRace.Attempt
  private let onEvent: @Client (Event) -> Void
  private let makeTransport: @Client (consuming Socket) -> TCPTransport?
  private var socket: Socket?
  private var watch: DescriptorWatch?
  private var transport: TCPTransport?
  /// Set when TLS stands.
  private(set) var security: TransportSecurity?

  /// Begins to connect.
  /// - Parameters:
  ///   - makeTransport: nil when TLS cannot be had at all.
  ///   - onEvent: never called from within this initializer.
  /// - Throws: ``TransportError`` `unreachable`.
  init(
    _ attempt: AddressRace.Attempt, loop: EventLoop,
    makeTransport: @escaping @Client (consuming Socket) -> TCPTransport?,
    onEvent: @escaping @Client (Event) -> Void
  ) throws(TransportError) {
    self.attempt = attempt
    self.makeTransport = makeTransport
    self.onEvent = onEvent
    let socket = try Socket(connectingTo: attempt.address)
    let descriptor = socket.descriptor
    self.socket = consume socket
    watch = loop.watch(descriptor, .writable) { [weak self] _ in self?.answered() }
  }

  isolated deinit { abort() }

  var place: ConnectionPlace { ConnectionPlace(target: attempt.target, address: attempt.address) }

  /// The connection, which is the caller's from here on; nil when it does not stand.
  func takeTransport() -> TCPTransport? {
    stopWatching()
    if let transport {
      transport.delegate = nil
      self.transport = nil
      return transport
    }
    guard let socket = socket.take() else { return nil }
    return makeTransport(consume socket)
  }

  func abort() {
    stopWatching()
    transport?.abort()
    transport = nil
    socket = nil
  }

  private func stopWatching() {
    watch?.cancel()
    watch = nil
  }

  private func answered() {
    guard let error = socket?.connectionError() else {
      stopWatching()
      onEvent(.connected)
      if attempt.target.usesDirectTLS { startTLS() }
      return
    }
    abort()
    onEvent(.failed(error))
  }

  private func startTLS() {
    guard let socket = socket.take(), let transport = makeTransport(consume socket) else { return }
    self.transport = transport
    transport.delegate = self
    transport.isNegotiating = true
    transport.startTLS(isDirect: true)
  }

  func transportReceived(_ bytes: UnsafeRawBufferPointer) {}

  func transportSecured(_ security: TransportSecurity) {
    self.security = security
    // What the server says from here on is for whoever gets the connection.
    transport?.delegate = nil
    onEvent(.secured)
  }

  func transportEnded(_ error: TransportError?) {
    transport = nil
    onEvent(.failed(error ?? TransportError(.lost, "The server hung up.")))
  }
}
