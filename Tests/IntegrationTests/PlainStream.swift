// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Dispatch
import Glibc
import JackdawHosts
import Support

/// A connection to a server by nothing but a socket.
enum PlainStream {
  struct Failure: Error {
    let code: CInt
  }

  /// Opens a stream without TLS and returns all that the server sends up to the end of its features.
  /// - Parameter limit: how long the server may be silent.
  static func features(of server: TestServer, within limit: Duration = TestProcess.patience) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      // The calls block: not on a thread that the tests share.
      DispatchQueue.global().async {
        continuation.resume(with: Result { try blockingFeatures(of: server.address, server.domain, limit) })
      }
    }
  }

  private static func blockingFeatures(
    of server: HostPort, _ domain: String, _ limit: Duration
  ) throws -> String {
    let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    defer { close(descriptor) }
    var limit = timeval(tv_sec: Int(limit.components.seconds), tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = (server.port ?? 0).bigEndian
    inet_pton(AF_INET, server.host, &address.sin_addr)
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else { throw Failure(code: errno) }
    let header =
      "<?xml version='1.0'?><stream:stream to='\(domain)' version='1.0' xmlns='jabber:client' "
      + "xmlns:stream='http://etherx.jabber.org/streams'>"
    guard write(descriptor, header, header.utf8.count) == header.utf8.count else { throw Failure(code: errno) }
    var received = ""
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !received.contains("</stream:features>") {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { throw Failure(code: count < 0 ? errno : 0) }
      received += String(decoding: buffer[..<count], as: UTF8.self)
    }
    return received
  }
}
