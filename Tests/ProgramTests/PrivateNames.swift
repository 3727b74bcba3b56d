// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// A name server on the loopback network that knows one domain, and a `resolv.conf` that names it alone.
enum PrivateNames {
  /// - Parameters:
  ///   - zone: lines of dnsmasq's configuration: `host-record=…`, `srv-host=…`.
  ///   - body: is given the path of the `resolv.conf`, for ``TestProcess/Invocation/resolving(by:)``.
  static func with<Result>(
    _ domain: String, zone: [String], _ body: (_ resolver: String) async throws -> Result
  ) async throws -> Result {
    try await TestDirectory.with { directory in
      // All of 127.0.0.0/8 is there to be had, and what has no wish uses 127.0.0.1.
      let address = "127.\(Int.random(in: 64...250)).\(Int.random(in: 1...250)).\(Int.random(in: 1...250))"
      let settings = [
        "no-resolv", "no-hosts", "no-daemon", "bind-interfaces", "except-interface=nothing", "log-facility=-",
        "cache-size=0", "local=/\(domain)/", "user=root", "pid-file=", "listen-address=\(address)", "port=53",
      ]
      let file = try directory.write((settings + zone).map { $0 + "\n" }.joined(), to: "dnsmasq.conf")
      let resolver = try directory.write("nameserver \(address)\n", to: "resolv.conf")
      let words = TestProcess.Invocation.asRoot + ["dnsmasq", "--conf-file=\(file)"]
      return try await TestProcess.withProcess(.init(words[0], Array(words.dropFirst()))) { names in
        try await names.expect("started", on: .standardError)
        return try await body(resolver)
      }
    }
  }
}
