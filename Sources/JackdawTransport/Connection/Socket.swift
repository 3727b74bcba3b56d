// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

/// What a read or write of a non-blocking descriptor came to.
enum Transfer {
  case moved(Int)
  /// Nothing now; poll tells when.
  case wouldBlock
  /// The peer ends its direction (reads only).
  case ended
  case failed(Int32)
}

/// A TCP socket that never blocks and is closed with its owner.
struct Socket: ~Copyable {
  let descriptor: Int32

  /// Takes a connected or connecting socket over.
  init(adopting descriptor: Int32) { self.descriptor = descriptor }

  /// Begins to connect. When the descriptor is writable, ``connectionError()`` says what came of it.
  /// - Throws: ``TransportError`` `unreachable`.
  init(connectingTo address: SocketAddress) throws(TransportError) {
    let descriptor = socket(
      address.isIPv6 ? AF_INET6 : AF_INET,
      Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), Int32(IPPROTO_TCP))
    guard descriptor >= 0 else { throw Self.error(errno) }
    var enabled: Int32 = 1
    // What belongs together is written at once; waiting for more would cost 40 ms at a peer that delays its ACK.
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &enabled, socklen_t(MemoryLayout<Int32>.size))
    Self.limitUnsent(of: descriptor, to: TransportLimits.unsentInKernel)
    // EINTR of a non-blocking connect leaves it under way, as EINPROGRESS does.
    let code = address.withSocketAddress { connect(descriptor, $0, $1) == 0 ? 0 : errno }
    guard code == 0 || code == EINPROGRESS || code == EINTR else {
      close(descriptor)
      throw Self.error(code)
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Has the kernel take all that it has room for.
  func takeAll() { Self.limitUnsent(of: descriptor, to: -1) }

  /// - Parameter bytes: -1: as many as it has room for, which is megabytes.
  private static func limitUnsent(of descriptor: Int32, to bytes: Int32) {
    var bytes = bytes
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, &bytes, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Nil when the connection stands.
  func connectionError() -> TransportError? {
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else { return Self.error(errno) }
    return code == 0 ? nil : Self.error(code)
  }

  func receive(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
    while true {
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0 { return .moved(count) }
      if count == 0 { return .ended }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .wouldBlock
      default: return .failed(errno)
      }
    }
  }

  func send(_ bytes: UnsafeRawBufferPointer) -> Transfer {
    while true {
      let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      if count >= 0 { return .moved(count) }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .wouldBlock
      default: return .failed(errno)
      }
    }
  }

  /// Bytes that the kernel holds of what was sent until the peer acknowledges them, and how long ago it last did; nil where the
  /// kernel does not tell.
  func unacknowledged() -> (bytes: Int, lastAcknowledged: Duration)? {
    var (waiting, info): (Int32, tcp_info) = (0, tcp_info())
    var length = socklen_t(MemoryLayout<tcp_info>.size)
    guard ioctl(descriptor, UInt(TIOCOUTQ), &waiting) == 0,
      getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &length) == 0
    else { return nil }
    return (Int(waiting), .milliseconds(info.tcpi_last_ack_recv))
  }

  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Acknowledges at once what comes next; the kernel forgets this after some segments. Failing costs time only.
  func acknowledgeQuickly() {
    var enabled: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_QUICKACK, &enabled, socklen_t(MemoryLayout<Int32>.size))
  }

  /// What an errno says of a connection, to be put behind an address and a colon.
  static func phrase(_ code: Int32) -> String {
    switch code {
    case ECONNREFUSED: "connection refused"
    case ENETUNREACH: "no network leads there"
    case EHOSTUNREACH: "no way to the host"
    case ETIMEDOUT: "no answer"
    case ECONNRESET: "connection reset"
    case EMFILE, ENFILE: "too many open files"
    default: String(cString: strerror(code))
    }
  }

  private static func error(_ code: Int32) -> TransportError {
    TransportError(.unreachable, phrase(code), errno: code)
  }
}
