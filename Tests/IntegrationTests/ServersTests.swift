// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

extension TestServer.Options {
  /// TLS 1.3 alone, and no archive: one server for the tests of either.
  static let version13 = Self {
    $0.tls = .version13
    $0.without = ["mam"]
  }
}

/// The servers that the other integration tests rely on, spoken to without any of Jackdaw's own code.
@Suite("Real servers")
struct ServersTests {
  @Test("answers a stream with its features", arguments: TestServer.Kind.allCases)
  func features(_ kind: TestServer.Kind) async throws {
    let server = try await TestServer.shared(kind)
    let features = try await PlainStream.features(of: server)
    #expect(features.contains("from='jackdaw.test'") || features.contains("from=\"jackdaw.test\""))
    #expect(features.contains("urn:ietf:params:xml:ns:xmpp-tls"))
    #expect(features.contains("<required/>"))
    #expect(!features.contains("<mechanism>"), "nothing but STARTTLS before TLS")
  }

  @Test("its certificate is what was asked for", arguments: TestServer.Kind.allCases)
  func goodCertificate(_ kind: TestServer.Kind) async throws {
    let server = try await TestServer.shared(kind)
    #expect(try await openssl(server, direct: false).contains("Verify return code: 0 (ok)"))
    #expect(try await openssl(server, direct: true).contains("Verify return code: 0 (ok)"))
  }

  static let badCertificates: [(TestServer.Options.Certificate, String)] = [
    (.expired, "certificate has expired"), (.notYetValid, "certificate is not yet valid"),
    (.wrongName, "hostname mismatch"), (.selfSigned, "self-signed certificate"),
    (.unknownAuthority, "self-signed certificate in certificate chain"),
  ]

  @Test("a wrong certificate is wrong in the way that was asked for", arguments: badCertificates)
  func badCertificate(_ certificate: TestServer.Options.Certificate, _ reason: String) async throws {
    try await TestServer.withServer(.prosody, .init { $0.certificate = certificate }) { server in
      let answer = try await openssl(server, direct: false)
      #expect(answer.contains(reason))
    }
  }

  static let tlsVersions: [(TestServer.Options, String, String)] = [
    (.init { $0.tls = .version12 }, "-tls1_2", "-tls1_3"), (.version13, "-tls1_3", "-tls1_2"),
  ]

  @Test("speaks the version of TLS that was asked for", arguments: tlsVersions)
  func tlsVersion(_ options: TestServer.Options, _ works: String, _ fails: String) async throws {
    for kind in TestServer.Kind.allCases {
      let server = try await TestServer.shared(kind, options)
      #expect(try await openssl(server, direct: true, [works]).contains("Verification: OK"))
      let refused = try await openssl(server, direct: true, [fails])
      #expect(!refused.contains("Server certificate"))
    }
  }

  @Test("accounts are made quickly and apart", arguments: TestServer.Kind.allCases)
  func accounts(_ kind: TestServer.Kind) async throws {
    let server = try await TestServer.shared(kind)
    let first = try await server.pair(friends: true)
    let second = try await server.pair()
    #expect(Set([first.alice, first.bob, second.alice, second.bob]).count == 4)
  }

  @Test("somebody who is named for several friendships has them all")
  func friendsOfOne() async throws {
    let script = SourceTree.path("Tests/Support/Servers/prosody.sh")
    let people = ["alice", "bob", "carol"].flatMap { ["--account", "\($0):secret"] }
    let friends = ["--friends", "alice:bob", "--friends", "alice:carol"]
    try await TestProcess.withProcess(.init(script, people + friends, input: .open)) { server in
      let facts = try await server.expect("\nready\n", within: .seconds(150)).split(separator: "\n")
      let directory = facts.first { $0.hasPrefix("directory=") }?.dropFirst("directory=".count) ?? ""
      let path = "\(directory)/server/data/jackdaw%2etest/roster/alice.dat"
      let roster = try await TestProcess.run(.init("cat", [path])).output
      #expect(roster.contains("bob@jackdaw.test") && roster.contains("carol@jackdaw.test"), "\(roster)")
      server.closeInput()
      _ = try await server.wait(within: .seconds(90))
    }
  }

  @Test(
    "survives a restart, a kill and being frozen, in which it answers nobody",
    arguments: TestServer.Kind.allCases + [.jabberd2])
  func lives(_ kind: TestServer.Kind) async throws {
    try await TestServer.withServer(kind) { server in
      try await server.restart()
      #expect(try await PlainStream.features(of: server).contains("xmpp-tls"))
      try await server.kill()
      await #expect(throws: PlainStream.Failure.self) { try await PlainStream.features(of: server) }
      try await server.start()
      try await server.freeze()
      await #expect(throws: PlainStream.Failure.self) {
        try await PlainStream.features(of: server, within: .seconds(2))
      }
      try await server.thaw()
      #expect(try await PlainStream.features(of: server).contains("xmpp-tls"))
      try await server.freeze()
    }
    // Whoever has it next finds it running.
    let features = try await TestServer.withServer(kind) { try await PlainStream.features(of: $0) }
    #expect(features.contains("xmpp-tls"))
  }

  @Test("is gone, with its directory, when the one who started it is killed", arguments: TestServer.Kind.allCases)
  func goesWithItsParent(_ kind: TestServer.Kind) async throws {
    let script = SourceTree.path("Tests/Support/Servers/\(kind.rawValue).sh")
    // The shell holds the other end of the script's standard input, and dies without a word.
    let command = "exec 3> >(exec \(script)); read -r never"
    try await TestProcess.withProcess(.init("bash", ["-c", command], input: .open)) { shell in
      let facts = try await shell.expect("\nready\n", within: .seconds(150)).split(separator: "\n")
      func fact(_ name: String) -> Substring {
        facts.first { $0.hasPrefix(name + "=") }?.dropFirst(name.count + 1) ?? ""
      }
      shell.signal(SIGKILL)
      let gone =
        "while [ -e \(fact("directory")) ] || grep -sq '^State:.[RSD]' /proc/\(fact("pid"))/status; do sleep 0.05; done"
      let outcome = try await TestProcess.run(.init("bash", ["-c", gone]))
      #expect(outcome.ending == .exited(0))
    }
  }

  private func openssl(_ server: TestServer, direct: Bool, _ more: [String] = []) async throws -> String {
    let address = direct ? server.directAddress : server.address
    let how = direct ? ["-alpn", "xmpp-client"] : ["-starttls", "xmpp", "-xmpphost", server.domain]
    let outcome = try await TestProcess.run(
      .init(
        "openssl",
        [
          "s_client", "-connect", "\(address)", "-CAfile", server.caFile, "-servername", server.domain,
          "-verify_hostname", server.domain,
        ] + how + more))
    return outcome.output + outcome.errors
  }
}
