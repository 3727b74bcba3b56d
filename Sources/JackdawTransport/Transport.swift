// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop

/// A connected stream of bytes to a server, in the clear or under TLS. Made by ``Connector``; faked in tests.
@Client package protocol Transport: AnyObject {
  /// Who is told what happens. Set before anything can happen: on the same turn in which the transport was handed out.
  var delegate: (any TransportDelegate)? { get set }

  /// True once TLS is up and the certificate is verified.
  var isSecure: Bool { get }

  /// Queues bytes. What is queued in one turn goes out in one write. Ignored after the end.
  func send(_ bytes: [UInt8])

  /// The same for what is not to wait behind all that was queued: under TLS it goes before whatever is not encrypted yet.
  func sendAhead(_ bytes: [UInt8])

  /// Nothing more goes ahead: the kernel may take all that it has room for, which it goes on with when the program has ended.
  func handOver()

  /// Bytes queued and not yet taken by the kernel.
  var pendingOutput: Int { get }

  /// What became of everything that was sent; nil after the end, and where the kernel does not tell.
  var outputProgress: OutputProgress? { get }

  /// Starts the TLS handshake on a clear connection (RFC 6120 5.4.3.3): everything queued goes first; the end of the
  /// handshake is told by ``TransportDelegate/transportSecured(_:)`` or ``TransportDelegate/transportEnded(_:)``.
  func startTLS()

  /// While true every write is followed by TCP_QUICKACK, so that a server without TCP_NODELAY does not wait for the
  /// kernel's delayed acknowledgement. Set during log-in only.
  var isNegotiating: Bool { get set }

  /// While true nothing is read: the peer is held back by TCP.
  var isReadingPaused: Bool { get set }

  /// Sends what is queued, then close_notify and FIN, and waits at most `timeout` for the peer's end; then
  /// ``TransportDelegate/transportEnded(_:)`` with nil. A second call does nothing.
  func close(timeout: Duration)

  /// Drops the connection at once. The delegate hears nothing any more.
  func abort()
}

/// Hears what happens on a ``Transport``. Always called on the loop, never from within a call to the transport.
@Client package protocol TransportDelegate: AnyObject {
  /// Bytes came; valid during the call only. At most one bounded read's worth a turn.
  func transportReceived(_ bytes: UnsafeRawBufferPointer)
  /// The kernel took bytes that had waited for room.
  func transportMadeRoom()
  /// TLS is up and verified for the domain.
  func transportSecured(_ security: TransportSecurity)
  /// The connection is over. nil: ended as it should (close_notify, or our own close). Called once.
  func transportEnded(_ error: TransportError?)
}

extension TransportDelegate {
  /// Only who holds something back until there is room has a use for it.
  package func transportMadeRoom() {}
}

/// How far what we send has come. The kernel takes at once what a slow line then carries for a minute, so only acknowledgements
/// tell that the other end takes anything.
package struct OutputProgress: Sendable, Equatable {
  /// Bytes that the peer's machine has acknowledged (RFC 9293 3.4), since the connection began.
  package var acknowledged: Int
  /// Bytes sent and not acknowledged, those queued here among them.
  package var waiting: Int
  /// How long ago the last acknowledgement came.
  package var age: Duration

  package init(acknowledged: Int, waiting: Int, age: Duration) {
    self.acknowledged = acknowledged
    self.waiting = waiting
    self.age = age
  }
}

/// What is known about a verified TLS connection.
package struct TransportSecurity: Sendable {
  /// `TLSv1.2` or `TLSv1.3`.
  package var version: String
  package var cipher: String
  /// Channel-binding data by type name: `tls-exporter` (RFC 9266; TLS 1.3, or 1.2 with extended master secret),
  /// `tls-server-end-point` (RFC 5929), and on TLS 1.2 with extended master secret `tls-unique` (RFC 5929).
  package var channelBindings: [String: [UInt8]]
  /// The certificate was verified on an earlier connection, which this one goes on from (RFC 8446 2.2).
  package var isResumed: Bool

  package init(version: String, cipher: String, channelBindings: [String: [UInt8]], isResumed: Bool = false) {
    self.version = version
    self.cipher = cipher
    self.channelBindings = channelBindings
    self.isResumed = isResumed
  }
}
