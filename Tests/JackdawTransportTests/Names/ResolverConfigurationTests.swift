// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import Support
import Testing

@testable import JackdawTransport

/// The resolver with a resolv.conf of its own, as the program has it: `transport-probe` runs in a mount namespace, for
/// which the tests must be root or sudo must work without a password.
@Client @Suite(.onLoop) struct ResolverConfigurationTests {
  /// Runs the probe where `nameServer` is the only one, and returns its lines.
  private func probe(_ domain: String, nameServer: String, authority: TestAuthority, options: String = "") async throws
    -> [String]
  {
    let directory = TemporaryDirectory()
    let file = directory.write(Array("nameserver \(nameServer)\n\(options)\n".utf8), to: "resolv.conf")
    let script = "mount --bind \"$1\" /etc/resolv.conf && exec \"$2\" \"$3\" \"$4\""
    let program = SourceTree.built("transport-probe")
    let command = ["unshare", "-m", "sh", "-c", script, "sh", file, program, domain, authority.file]
    let invocation = geteuid() == 0 ? command : ["sudo", "-n"] + command
    let outcome = try await TestProcess.run(.init(invocation[0], Array(invocation.dropFirst())))
    try #require(
      outcome.ending == .exited(0), "a mount namespace needs root, or sudo without a password: \(outcome.errors)")
    return outcome.lines
  }

  @Test("The name servers of the system are used") func obeysTheServersOfTheSystem() async throws {
    let progress = Progress()
    let authority = TestAuthority()
    let direct = LoopbackServer(progress: progress) { $0.startTLS(TestTLSServer(authority.identity())) }
    let plain = LoopbackServer("::1", progress: progress)
    let address = NameServer.freeHost()
    let zone = [
      "srv-host=_xmpps-client._tcp.chat.example,host.chat.example,\(direct.address.port),5,0",
      "srv-host=_xmpp-client._tcp.plain.example,six.example,\(plain.address.port),5,0",
      "srv-host=_xmpp-client._tcp.none.example",
      "host-record=host.chat.example,127.0.0.1",
      // Where no connection can be made, whatever listens on this machine (RFC 919 7).
      "host-record=nobody.chat.example,255.255.255.255",
      "host-record=six.example,::1",
    ]
    let server = try #require(SocketAddress(ipv4: address, port: 53))
    try await NameServer.with(zone, at: server) { (_) async throws in
      #expect(
        try await probe("chat.example", nameServer: address, authority: authority) == [
          "_xmpps-client 5 0 \(direct.address.port) host.chat.example", "_xmpp-client absent", "connected TLSv1.3",
        ])
      #expect(
        try await probe("plain.example", nameServer: address, authority: authority) == [
          "_xmpps-client absent", "_xmpp-client 5 0 \(plain.address.port) six.example", "connected in the clear",
        ])
      #expect(
        try await probe("none.example", nameServer: address, authority: authority).last
          == "error not-offered none.example offers no chat service: its DNS says so.")
      // `search` is for names without a dot: these are whole.
      #expect(
        try await probe("nobody", nameServer: address, authority: authority, options: "search chat.example").last?
          .hasPrefix("error unreachable nobody cannot be reached (255.255.255.255 port 5222: ") == true)
      #expect(
        try await probe("nowhere.example", nameServer: address, authority: authority, options: "search chat.example")
          .last
          == "error unresolved The host nowhere.example does not exist.")
    }
  }

  /// Nobody listens there at all.
  @Test("Where no name server listens, the error says that DNS did not answer")
  func aMachineWithoutAServerIsToldSo() async throws {
    let lines = try await probe("chat.example", nameServer: NameServer.freeHost(), authority: TestAuthority())
    #expect(
      lines == [
        "_xmpps-client failed noAnswer", "_xmpp-client failed noAnswer",
        "error unresolved DNS did not answer for the address of chat.example.",
      ])
  }
}
