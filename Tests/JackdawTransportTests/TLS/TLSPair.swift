// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

@testable import JackdawTransport

/// A client and a server wired to each other.
struct TLSPair {
  let client: TLSSession
  let server: TestTLSServer
  private(set) var security: TransportSecurity?
  private(set) var error: TransportError?

  /// - Parameters:
  ///   - keepsTickets: what the server gives is kept.
  ///   - ticket: what the client begins with.
  init(
    server: TestTLSServer, domain: String, context: TLSContext, isDirect: Bool = false, keepsTickets: Bool = false,
    ticket: TLSTicket? = nil
  ) throws(TransportError) {
    client = try TLSSession(context: context, domain: domain, isDirect: isDirect, keepsTickets: keepsTickets)
    self.server = server
    if let ticket { client.offer(ticket) }
    // A handshake takes three flights; more rounds than this would be a loop.
    for _ in 0..<10 where error == nil && !(security != nil && server.isEstablished) {
      switch client.handshake() {
      case .underway: break
      case .done(let security): self.security = security
      case .failed(let error): self.error = error
      }
      toServer()
      server.handshake()
      toClient()
    }
  }

  func toServer() {
    client.takeOutput { server.receive(Array($0)) }
  }

  func toClient() {
    let bytes = server.takeOutput()
    bytes.withUnsafeBytes { client.receive($0) }
  }

  /// What the client reads now, and how the reading stopped.
  func clientReads() -> (bytes: [UInt8], stop: TLSSession.Reading) {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 20_000)
    while true {
      let result = buffer.withUnsafeMutableBytes { client.read(into: $0) }
      guard case .bytes(let count) = result else { return (all, result) }
      all += buffer.prefix(count)
    }
  }
}
