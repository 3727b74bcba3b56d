// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// A TCP connection, in the clear or under TLS, served by the loop. Nothing here blocks: what the peer does not take
/// waits in a queue, and a read takes a bounded amount a turn. While there is no delegate nothing is read, so nothing
/// is lost.
@Client final class TCPTransport: Transport {
  enum Phase {
    case clear
    case handshaking(TLSSession)
    case secure(TLSSession)
    case ended
  }

  let clock: any LoopClock
  private let loop: EventLoop
  let domain: String
  private let tls: TLSContext
  private let tickets: TLSTickets?
  /// Nil after the end.
  var socket: Socket?
  private var watch: DescriptorWatch?
  var phase = Phase.clear

  /// Bytes that the kernel has taken, since the connection began.
  var written = 0
  /// Bytes for the kernel.
  var wire = OutputQueue()
  /// Bytes that TLS has yet to encrypt.
  var plain = RecordQueue()
  /// The same that goes before those; pieces that fit into a record.
  var ahead = RecordQueue()
  var isFlushScheduled = false
  /// The kernel takes nothing any more; the way in tells why.
  var isOutputBroken = false

  /// What came from the kernel, and what TLS made of it. Memory is taken when the first byte comes, and given back
  /// with the transport only, as a delegate may end it while it reads.
  var received: InputBuffer
  /// A record that was begun before is finished by the bytes of this turn: 16 KiB more than was read.
  var decrypted: InputBuffer
  private var isReadScheduled = false
  /// The peer's end was seen while ours is still under way.
  var isInputFinished = false

  private var closeTimer: LoopTimer?
  var isClosing: Bool { closeTimer != nil }
  var hasSaidGoodbye = false

  weak var delegate: (any TransportDelegate)? { didSet { inputAllowedChanged() } }
  var isReadingPaused = false { didSet { inputAllowedChanged() } }
  var isNegotiating = false { didSet { if isNegotiating { socket?.acknowledgeQuickly() } } }

  /// - Parameters:
  ///   - socket: connected.
  ///   - domain: what the certificate must be for.
  ///   - tickets: as in ``ConnectionPlan``.
  ///   - readPerTurn: as in ``ConnectionPlan``.
  init(
    socket: consuming Socket, domain: String, tls: TLSContext, tickets: TLSTickets? = nil, loop: EventLoop,
    clock: any LoopClock, readPerTurn: Int = TransportLimits.readPerTurn
  ) {
    received = InputBuffer(capacity: readPerTurn)
    decrypted = InputBuffer(capacity: readPerTurn + 16_384)
    self.socket = consume socket
    self.domain = domain
    self.tls = tls
    self.tickets = tickets
    self.loop = loop
    self.clock = clock
  }

  isolated deinit { release() }

  var isSecure: Bool { if case .secure = phase { true } else { false } }
  var pendingOutput: Int { wire.count + ahead.count + plain.count }
  var outputProgress: OutputProgress? {
    guard let kernel = socket?.unacknowledged() else { return nil }
    return OutputProgress(
      acknowledged: written - kernel.bytes, waiting: kernel.bytes + pendingOutput, age: kernel.lastAcknowledged)
  }
  var hasEnded: Bool { if case .ended = phase { true } else { false } }

  func send(_ bytes: [UInt8]) {
    guard !isClosing, !isOutputBroken, !bytes.isEmpty else { return }
    switch phase {
    case .clear: wire.append(bytes)
    case .handshaking, .secure: plain.append(bytes)
    case .ended: return
    }
    scheduleFlush()
  }

  func sendAhead(_ bytes: [UInt8]) {
    guard case .secure = phase else { return send(bytes) }
    guard !isClosing, !isOutputBroken, !bytes.isEmpty else { return }
    ahead.append(bytes)
    scheduleFlush()
  }

  func handOver() {
    socket?.takeAll()
    scheduleFlush()
  }

  func startTLS() { startTLS(isDirect: false) }

  /// - Parameter isDirect: TLS from the first byte, announced by ALPN.
  func startTLS(isDirect: Bool) {
    guard case .clear = phase, !isClosing else { return }
    do throws(TransportError) {
      let session = try TLSSession(context: tls, domain: domain, isDirect: isDirect, keepsTickets: tickets != nil)
      if let ticket = tickets?.take(session.scope) { session.offer(ticket) }
      phase = .handshaking(session)
      // The handshake begins with the flush.
      scheduleFlush()
    } catch {
      clock.nextTurn { [weak self] in self?.end(error) }
    }
  }

  /// Hands over what the server has given for the next connection.
  func keepTicket(of session: TLSSession) {
    if let ticket = session.takeTicket() { tickets?.keep(ticket) }
  }

  func close(timeout: Duration) {
    guard !hasEnded, !isClosing else { return }
    closeTimer = clock.schedule(after: timeout) { [weak self] in self?.end(nil) }
    socket?.takeAll()
    // A handshake that is not finished has nothing to say goodbye to.
    if case .handshaking = phase {
      clock.nextTurn { [weak self] in self?.end(nil) }
    } else {
      scheduleFlush()
    }
  }

  func abort() {
    delegate = nil
    release()
  }

  /// It is over: lets go of everything and tells the delegate, once.
  func end(_ error: TransportError?) {
    guard !hasEnded else { return }
    let delegate = delegate
    // What happens to the line while we close it ourselves is no failure.
    let reported = isClosing ? nil : error
    release()
    self.delegate = nil
    delegate?.transportEnded(reported)
  }

  private func release() {
    phase = .ended
    watch?.cancel()
    watch = nil
    socket = nil
    closeTimer?.cancel()
    closeTimer = nil
    wire.removeAll()
    plain.removeAll()
    ahead.removeAll()
  }

  // MARK: Readiness

  var mayRead: Bool { delegate != nil && !isReadingPaused && !isInputFinished && !hasEnded }

  private func inputAllowedChanged() {
    updateInterest()
    // TLS may have bytes that no readiness will announce.
    guard mayRead, case .secure(let session) = phase, session.hasInput else { return }
    scheduleRead()
  }

  func scheduleRead() {
    guard !isReadScheduled else { return }
    isReadScheduled = true
    clock.nextTurn { [weak self] in
      guard let self else { return }
      isReadScheduled = false
      if mayRead { deliverDecrypted() }
    }
  }

  func scheduleFlush() {
    guard !isFlushScheduled else { return }
    isFlushScheduled = true
    clock.nextTurn { [weak self] in
      guard let self else { return }
      isFlushScheduled = false
      flush()
    }
  }

  /// Asks poll for what can be used now.
  func updateInterest() {
    guard let descriptor = socket?.descriptor else { return }
    // Of a type of another module `[]` is made of an array, by code for any set.
    var interest = EventLoop.Readiness(rawValue: 0)
    if mayRead { interest.insert(.readable) }
    if !wire.isEmpty, !isOutputBroken { interest.insert(.writable) }
    if let watch {
      watch.interest = interest
    } else if !interest.isEmpty {
      watch = loop.watch(descriptor, interest) { [weak self] in self?.ready($0) }
    }
  }

  private func ready(_ readiness: EventLoop.Readiness) {
    if readiness.contains(.writable) {
      let waiting = pendingOutput
      flush()
      if !hasEnded, pendingOutput < waiting { delegate?.transportMadeRoom() }
    }
    guard !hasEnded, !readiness.isDisjoint(with: [.readable, .failed]) else { return }
    if mayRead { return readTurn() }
    // The loop tells of a failure once while nothing is asked for. What is left to read is read when that is allowed
    // again.
    if readiness.contains(.failed) { breakOutput() }
    updateInterest()
  }
}
