// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// `account check`: a line for each step that succeeded, and the step that fails is named. Without `--server` the servers are
/// those that a private name server names, in a mount namespace with a resolv.conf of its own.
@Suite("The check of an account")
struct AccountCheckTests {
  private static let steps = ["dns", "tcp", "tls", "sasl", "bind", "features", "ping"]

  /// The steps of the lines, and what they found.
  private func rows(_ outcome: TestProcess.Outcome) -> [(step: String, finding: String)] {
    outcome.lines.map { line in
      let words = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      #expect(words.count == 3 && words[0] == "ok", "\(line)")
      return (words.dropFirst().first ?? "", words.last ?? "")
    }
  }

  @Test("with a named server", arguments: TestServer.Kind.allCases)
  func named(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, _ in
      let outcome = try await alice.run("account", "check")
      #expect(outcome.ending == .exited(0), "\(outcome.errors)")
      let rows = rows(outcome)
      #expect(rows.map(\.step) == Self.steps)
      let address = "\(alice.server.host) port \(alice.server.port)"
      #expect(rows[0].finding == "skipped: the account names \(alice.server.address)")
      #expect(rows[1].finding == address)
      #expect(rows[2].finding.hasPrefix("TLSv1.") && rows[2].finding.hasSuffix("certificate verified"))
      #expect(rows[3].finding.hasPrefix("SCRAM-SHA-"))
      #expect(rows[4].finding.hasPrefix(alice.jid + "/"))
    }
  }

  @Test("with the servers that DNS names, STARTTLS and direct TLS", arguments: TestServer.Kind.allCases)
  func looked(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, _ in
      let (server, domain) = (alice.server, alice.server.domain)
      let host = "host-record=xmpp.\(domain),\(server.host)"
      let plain = "srv-host=_xmpp-client._tcp.\(domain),xmpp.\(domain),\(server.port),5,0"
      let direct = "srv-host=_xmpps-client._tcp.\(domain),xmpp.\(domain),\(server.directPort),1,0"
      for (zone, found, port) in [
        ([host, plain], "xmpp.\(domain) port \(server.port)", server.port),
        (
          [host, plain, direct],
          "xmpp.\(domain) port \(server.directPort) with direct TLS, xmpp.\(domain) port \(server.port)",
          server.directPort
        ),
      ] {
        let outcome = try await check(alice, zone: zone)
        #expect(outcome.ending == .exited(0), "\(outcome.errors)")
        let rows = rows(outcome)
        #expect(rows.map(\.step) == Self.steps, "\(outcome.output)")
        #expect(rows.prefix(2).map(\.finding) == [found, "\(server.host) port \(port)"])
      }
    }
  }

  @Test("each step that fails is named, after those that succeeded")
  func fails() async throws {
    try await withPair(on: .prosody) { alice, _ in
      let (server, domain) = (alice.server, alice.server.domain)
      func expect(
        _ outcome: TestProcess.Outcome, _ code: Int, _ step: String, after steps: [String],
        sourceLocation: SourceLocation = #_sourceLocation
      ) {
        #expect(outcome.ending == .exited(code), "\(outcome.errors)", sourceLocation: sourceLocation)
        #expect(rows(outcome).map(\.step) == steps, sourceLocation: sourceLocation)
        #expect(outcome.errors.contains("\(step): "), "\(outcome.errors)", sourceLocation: sourceLocation)
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)", sourceLocation: sourceLocation)
      }
      expect(try await check(alice, zone: []), 68, "dns", after: [])
      expect(try await check(alice, zone: ["srv-host=_xmpp-client._tcp.\(domain)"]), 68, "dns", after: [])
      let closed = ClosedPort(on: server.host)
      let zone = [
        "host-record=xmpp.\(domain),\(server.host)",
        "srv-host=_xmpp-client._tcp.\(domain),xmpp.\(domain),\(closed.port)",
      ]
      expect(try await check(alice, zone: zone), 68, "tcp", after: ["dns"])

      var changed = alice
      changed.environment = ["JACKDAW_SERVER": "\(server.host):\(closed.port)"]
      expect(try await changed.run("account", "check"), 68, "tcp", after: ["dns"])
      withExtendedLifetime(closed) {}
      changed.environment = ["JACKDAW_CA_FILE": "/nonexistent/ca.pem"]
      let noAuthorities = try await changed.run("account", "check")
      #expect(noAuthorities.ending == .exited(78) && noAuthorities.errors.contains("tls: "), "\(noAuthorities.errors)")
      changed.environment = ["JACKDAW_PASSWORD": "wrong"]
      expect(try await changed.run("account", "check"), 77, "sasl", after: ["dns", "tcp", "tls"])
    }
    try await withPair(on: .prosody, .init { $0.certificate = .wrongName }) { alice, _ in
      let outcome = try await alice.run("account", "check")
      #expect(outcome.ending == .exited(76) && outcome.errors.contains("tls: "), "\(outcome.errors)")
      #expect(rows(outcome).map(\.step) == ["dns", "tcp"])
    }
  }

  /// Runs the check where a name server that knows `zone` is the only one.
  private func check(_ person: Person, zone: [String]) async throws -> TestProcess.Outcome {
    try await PrivateNames.with(person.server.domain, zone: zone) { resolver in
      var invocation = person.invocation(["account", "check"])
      invocation.environment["JACKDAW_SERVER"] = nil
      return try await TestProcess.run(invocation.resolving(by: resolver))
    }
  }
}
