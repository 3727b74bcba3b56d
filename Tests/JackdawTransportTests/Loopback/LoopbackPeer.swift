// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop

@testable import JackdawTransport

/// The server's end of one connection: in the clear, or under TLS with a ``TestTLSServer``.
@Client final class LoopbackPeer {
  enum End: Equatable {
    /// FIN.
    case finished
    case failed(Int32)
  }

  /// Bytes in the clear, or decrypted.
  private(set) var received: [UInt8] = []
  /// What single reads gave.
  private(set) var reads: [Int] = []
  private(set) var end: End?
  private(set) var tls: TestTLSServer?
  /// Called after every read.
  var onReceived: (@Client () -> Void)?
  var isReading = true { didSet { updateInterest() } }

  private let progress: Progress
  private let descriptor: Int32
  private var watch: DescriptorWatch?
  private var output: [UInt8] = []
  private var finishesAfterOutput = false
  private var isClosed = false

  init(_ descriptor: Int32, progress: Progress) {
    self.descriptor = descriptor
    self.progress = progress
    watch = EventLoop.main.watch(descriptor, .readable) { [weak self] in self?.ready($0) }
  }

  isolated deinit { drop() }

  var text: String { String(decoding: received, as: UTF8.self) }
  var isSecure: Bool { tls?.isEstablished ?? false }
  var unsent: Int { output.count }

  func clearReceived() { received = [] }

  func send(_ bytes: [UInt8]) {
    if let tls, tls.isEstablished {
      tls.write(bytes)
      output += tls.takeOutput()
    } else {
      output += bytes
    }
    write()
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  /// Sends bytes below TLS.
  func sendRaw(_ bytes: [UInt8]) {
    output += bytes
    write()
  }

  /// What comes from here on is TLS.
  func startTLS(_ server: TestTLSServer) { tls = server }

  /// Sends what TLS wants sent.
  func pushTLS() {
    if let tls { sendRaw(tls.takeOutput()) }
  }

  /// close_notify.
  func sayGoodbye() {
    tls?.finish()
    pushTLS()
  }

  /// FIN, after what is queued.
  func finish() {
    finishesAfterOutput = true
    write()
  }

  /// RST.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    drop()
  }

  /// Ends it for good at once: a process that another test is just starting may hold a copy of the descriptor, so that closing it is not
  /// the end yet.
  func shutDown() {
    guard !isClosed else { return }
    shutdown(descriptor, Int32(SHUT_RDWR))
    drop()
  }

  func drop() {
    guard !isClosed else { return }
    isClosed = true
    watch?.cancel()
    close(descriptor)
  }

  private func updateInterest() {
    guard !isClosed else { return }
    var interest: EventLoop.Readiness = isReading && end == nil ? .readable : []
    if !output.isEmpty { interest.insert(.writable) }
    watch?.interest = interest
  }

  private func ready(_ readiness: EventLoop.Readiness) {
    if readiness.contains(.writable) { write() }
    if isReading, end == nil, !readiness.isDisjoint(with: [.readable, .failed]) { read() }
    progress.happened()
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    switch count {
    case 0:
      end = .finished
    case ..<0:
      if errno != EAGAIN { end = .failed(errno) }
    default:
      reads.append(count)
      if let tls {
        tls.receive(Array(buffer.prefix(count)))
        if !tls.isEstablished { tls.handshake() }
        if tls.isEstablished { received += tls.read() }
      } else {
        received += buffer.prefix(count)
      }
      onReceived?()
      if let tls { output += tls.takeOutput() }
    }
    updateInterest()
    write()
  }

  private func write() {
    guard !isClosed else { return }
    while !output.isEmpty {
      let count = Glibc.send(descriptor, output, output.count, Int32(MSG_NOSIGNAL))
      guard count >= 0 else {
        if errno != EAGAIN { output = [] }
        break
      }
      output.removeFirst(count)
    }
    if finishesAfterOutput, output.isEmpty { shutdown(descriptor, Int32(SHUT_WR)) }
    updateInterest()
    progress.happened()
  }
}
