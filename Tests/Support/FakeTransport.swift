// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawTransport

/// A transport in memory. It keeps the promises of ``Transport``: what is queued in one turn is one write, the delegate is
/// never called from within a call, nothing is read without one, and what nobody holds on to is gone with its queue.
@Client package final class FakeTransport: Transport {
  /// How the TLS handshake goes.
  package enum Handshake {
    case succeeds(TransportSecurity)
    case fails(TransportError)
    case neverEnds
  }

  /// What there is to be known of a transport, also when it is gone.
  @Client package final class Record {
    /// What reached the peer, each write by itself.
    package fileprivate(set) var writes: [[UInt8]] = []
    package fileprivate(set) var handshakes = 0
    /// `close` was called.
    package fileprivate(set) var isClosed = false
    /// `abort` was called.
    package fileprivate(set) var isAborted = false
    package fileprivate(set) var hasEnded = false
    /// Nobody holds on to the transport any more.
    package fileprivate(set) var isReleased = false
    /// What `isNegotiating` was last set to.
    package fileprivate(set) var isNegotiating = false

    /// All that reached the peer, as text.
    package var text: String { String(decoding: writes.joined(), as: UTF8.self) }
  }

  package let record = Record()
  package weak var delegate: (any TransportDelegate)? { didSet { scheduleRead() } }
  package private(set) var isSecure: Bool
  package var isNegotiating = false { didSet { record.isNegotiating = isNegotiating } }
  package var isReadingPaused = false { didSet { scheduleRead() } }

  /// While true the peer takes nothing.
  package var isStuck = false
  /// Bytes that count as waiting in front of what is sent, until the peer takes something: a full queue that nobody has to fill.
  package var untaken = 0
  /// While true the peer does not answer the end of ours with its own.
  package var ignoresClose = false

  private let clock: any LoopClock
  private let peer: any FakePeer
  private let handshake: Handshake
  private var outbox: [UInt8] = []
  private var inbox: [UInt8] = []
  /// What ends the connection behind the inbox: nil for a proper end.
  private var ending: TransportError??
  private var wantsTLS = false
  private var isFlushScheduled = false
  private var isReadScheduled = false
  private var closeTimer: LoopTimer?

  package init(clock: any LoopClock, peer: any FakePeer, handshake: Handshake, isSecure: Bool = false) {
    self.clock = clock
    self.peer = peer
    self.handshake = handshake
    self.isSecure = isSecure
  }

  isolated deinit { record.isReleased = true }

  // MARK: Our side

  package var pendingOutput: Int { untaken + outbox.count }
  /// What the kernel would tell.
  package var outputProgress: OutputProgress?

  package func send(_ bytes: [UInt8]) {
    guard !record.hasEnded, closeTimer == nil, !bytes.isEmpty else { return }
    outbox += bytes
    scheduleFlush()
  }

  package func handOver() {}

  package func sendAhead(_ bytes: [UInt8]) {
    guard isStuck, !record.hasEnded, closeTimer == nil else { return send(bytes) }
    outbox.insert(contentsOf: bytes, at: 0)
  }

  package func startTLS() {
    wantsTLS = true
    scheduleFlush()
  }

  package func close(timeout: Duration) {
    guard !record.hasEnded, closeTimer == nil else { return }
    record.isClosed = true
    closeTimer = clock.schedule(after: timeout) { [weak self] in self?.end(nil) }
    scheduleFlush()
  }

  package func abort() {
    record.isAborted = true
    delegate = nil
    release()
  }

  // MARK: The peer's side

  /// The peer says something.
  package func deliver(_ bytes: [UInt8]) {
    inbox += bytes
    scheduleRead()
  }

  /// The peer ends the connection behind what it said: properly with nil.
  package func peerMakesRoom() { delegate?.transportMadeRoom() }

  package func peerEnds(_ error: TransportError?) {
    ending = .some(error)
    scheduleRead()
  }

  // MARK: Turns

  private func scheduleFlush() {
    guard !isFlushScheduled else { return }
    isFlushScheduled = true
    clock.nextTurn { [weak self] in self?.flush() }
  }

  private func flush() {
    isFlushScheduled = false
    guard !record.hasEnded else { return }
    if !outbox.isEmpty, !isStuck {
      let bytes = outbox
      outbox = []
      untaken = 0
      record.writes.append(bytes)
      peer.received(bytes, from: self)
    }
    if wantsTLS { shakeHands() }
    if record.isClosed, outbox.isEmpty, !ignoresClose { clock.nextTurn { [weak self] in self?.end(nil) } }
  }

  private func shakeHands() {
    wantsTLS = false
    record.handshakes += 1
    switch handshake {
    case .neverEnds: break
    case .fails(let error): clock.nextTurn { [weak self] in self?.end(error) }
    case .succeeds(let security):
      peer.secured(security)
      isSecure = true
      clock.nextTurn { [weak self] in self?.delegate?.transportSecured(security) }
    }
  }

  private func scheduleRead() {
    guard !isReadScheduled, !inbox.isEmpty || ending != nil else { return }
    isReadScheduled = true
    clock.nextTurn { [weak self] in self?.read() }
  }

  private func read() {
    isReadScheduled = false
    guard !record.hasEnded, !isReadingPaused, let delegate else { return }
    if !inbox.isEmpty {
      let bytes = inbox
      inbox = []
      bytes.withUnsafeBytes { delegate.transportReceived($0) }
    }
    if let ending, inbox.isEmpty { end(ending) }
  }

  private func end(_ error: TransportError?) {
    guard !record.hasEnded else { return }
    let delegate = delegate
    release()
    self.delegate = nil
    delegate?.transportEnded(record.isClosed ? nil : error)
  }

  private func release() {
    record.hasEnded = true
    closeTimer = nil
    outbox = []
  }
}

/// The other side of a ``FakeTransport``.
@Client package protocol FakePeer: AnyObject {
  /// One write of the client came.
  func received(_ bytes: [UInt8], from transport: FakeTransport)
  /// TLS stands.
  func secured(_ security: TransportSecurity)
}
