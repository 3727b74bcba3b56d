// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support

@testable import JackdawTransport

/// A real name server (dnsmasq) on loopback.
struct NameServer {
  let address: SocketAddress

  /// Runs one while `body` runs.
  /// - Parameters:
  ///   - address: where it listens; nil: an address of its own.
  ///   - settings: lines of dnsmasq's configuration.
  static func with<Result>(
    _ settings: [String], at address: SocketAddress? = nil, isolation: isolated (any Actor)? = #isolation,
    _ body: (NameServer) async throws -> Result
  ) async throws -> Result {
    guard let address = address ?? SocketAddress(ipv4: freeHost(), port: 5353) else {
      preconditionFailure("no address")
    }
    let directory = TemporaryDirectory()
    let configuration =
      [
        "no-resolv", "no-hosts", "no-daemon", "bind-interfaces", "except-interface=nothing", "log-facility=-",
        "cache-size=0",
        // It answers for everything below this itself; the rest is REFUSED.
        "local=/example/", "user=root", "pid-file=",
        "listen-address=\(address.host)", "port=\(address.port)",
      ] + settings
    let file = directory.write(Array(configuration.joined(separator: "\n").utf8 + [10]), to: "dnsmasq.conf")
    // A port below 1024 is root's to open.
    let words = (address.port < 1_024 ? TestProcess.Invocation.asRoot : []) + ["dnsmasq", "--conf-file=\(file)"]
    let dnsmasq = try TestProcess.start(.init(words[0], Array(words.dropFirst())))
    let result: Result
    do {
      try await dnsmasq.expect("started", on: .standardError)
      result = try await body(NameServer(address: address))
    } catch {
      await dnsmasq.stop()
      throw error
    }
    await dnsmasq.stop()
    return result
  }

  /// An address of loopback that nobody else has at this moment: all of 127.0.0.0/8 is there to be had, and what has no
  /// wish uses 127.0.0.1.
  static func freeHost() -> String {
    "127.\(Int.random(in: 64...250)).\(Int.random(in: 1...250)).\(Int.random(in: 1...250))"
  }
}
