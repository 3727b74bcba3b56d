// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Synchronization

/// A way through the loopback network to a real server that goes wrong at a place the test chooses.
///
/// Every connection gets two threads that copy bytes, one a direction, until the fault; blocking calls, so that nothing
/// of the program under test is needed to test it.
package final class FaultProxy: Sendable {
  /// What happens once the server has sent ``faultAfter`` bytes on a connection.
  package enum Fault: String, Sendable, CaseIterable {
    /// FIN to the client, after the bytes so far.
    case close
    /// RST to the client.
    case reset
    /// Nothing goes through any more in either direction; the connection stays.
    case silence
  }

  package let port: Int
  private let listener: Int32
  private let target: sockaddr_in
  private let fault: Fault
  /// Bytes from the server that get through; nil: all, no fault.
  private let faultAfter: Int?
  private let carried = Atomic<Int>(0)
  private let descriptors = Mutex<[Int32]>([])

  /// How many bytes of the server's have gone through, all connections together.
  package var bytesFromServer: Int { carried.load(ordering: .relaxed) }

  /// Listens on 127.0.0.1 for as long as `body` runs.
  /// - Throws: ``TestProcessFailure`` when there is no socket; what `body` throws.
  package static func with<Result>(
    to server: TestServer, _ fault: Fault = .close, after bytes: Int? = nil, _ body: (FaultProxy) async throws -> Result
  ) async throws -> Result {
    let proxy = try FaultProxy(to: server.host, server.port, fault, after: bytes)
    defer { proxy.end() }
    return try await body(proxy)
  }

  private init(to host: String, _ port: Int, _ fault: Fault, after bytes: Int?) throws {
    self.fault = fault
    faultAfter = bytes
    target = Self.address(host, port)
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var own = Self.address("127.0.0.1", 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isListening = withUnsafeMutableBytes(of: &own) { bytes in
      let address = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
      return bind(listener, address, length) == 0 && listen(listener, 64) == 0
        && getsockname(listener, address, &length) == 0
    }
    guard isListening else { throw TestProcessFailure("no listening socket: \(String(cString: strerror(errno)))") }
    self.port = Int(UInt16(bigEndian: own.sin_port))
    run { proxy in proxy.accept() }
  }

  /// Ends every connection that there is, on both sides; new ones are taken as before.
  package func cut() {
    descriptors.withLock { for descriptor in $0 { shutdown(descriptor, Int32(SHUT_RDWR)) } }
  }

  private func end() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    descriptors.withLock { for descriptor in $0 { shutdown(descriptor, Int32(SHUT_RDWR)) } }
  }

  private func accept() {
    while true {
      let client = Glibc.accept(listener, nil, nil)
      guard client >= 0 else { return }
      let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      var target = target
      let isConnected = withUnsafeBytes(of: &target) { bytes in
        connect(
          server, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(MemoryLayout<sockaddr_in>.size))
          == 0
      }
      guard isConnected else {
        close(client)
        close(server)
        continue
      }
      descriptors.withLock { $0 += [client, server] }
      run { proxy in proxy.copy(from: client, to: server, limit: nil) }
      run { proxy in proxy.copy(from: server, to: client, limit: proxy.faultAfter) }
    }
  }

  private func copy(from source: Int32, to sink: Int32, limit: Int?) {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    var left = limit
    while left != 0 {
      let count = recv(source, &buffer, min(buffer.count, left ?? buffer.count), 0)
      guard count > 0 else {
        shutdown(sink, Int32(SHUT_WR))
        return
      }
      guard Self.sendAll(buffer[..<count], to: sink) else { return }
      if limit != nil || faultAfter == nil { carried.add(count, ordering: .relaxed) }
      left = left.map { $0 - count }
    }
    switch fault {
    case .close: shutdown(sink, Int32(SHUT_RDWR))
    case .reset:
      var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
      setsockopt(sink, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
      descriptors.withLock { $0.removeAll { $0 == sink } }
      close(sink)
    case .silence: break
    }
  }

  private static func sendAll(_ bytes: ArraySlice<UInt8>, to sink: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(sink, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private static func address(_ host: String, _ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    inet_pton(AF_INET, host, &address.sin_addr)
    return address
  }

  /// Starts a thread that keeps the proxy alive.
  private func run(_ body: @escaping @Sendable (FaultProxy) -> Void) {
    let work = Unmanaged.passRetained(Work { body(self) })
    var thread = pthread_t()
    let started = pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer else { return nil }
        Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().run()
        return nil
      }, work.toOpaque())
    if started == 0 { pthread_detach(thread) } else { work.release() }
  }

  private final class Work: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
