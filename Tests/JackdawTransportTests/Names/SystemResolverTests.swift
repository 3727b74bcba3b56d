// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import Support
import Testing

@testable import JackdawTransport

@Client @Suite(.onLoop) struct SystemResolverTests {
  private static let zone = [
    "srv-host=_xmpp-client._tcp.chat.example,xmpp.chat.example,5222,10,60",
    "srv-host=_xmpp-client._tcp.chat.example,backup.chat.example,5222,20,0",
    "srv-host=_xmpps-client._tcp.chat.example,xmpp.chat.example,443,5,0",
    "srv-host=_xmpp-client._tcp.none.example",
    "host-record=xmpp.chat.example,127.0.0.1,::1",
    "host-record=four.example,127.0.0.4",
    "host-record=six.example,::1",
    "cname=alias.example,four.example",
    "host-record=text.example,127.0.0.9",
    "txt-record=only-text.example,hello",
  ]

  private func record(_ priority: UInt16, _ weight: UInt16, _ port: UInt16, _ target: String) -> ServiceRecord {
    ServiceRecord(priority: priority, weight: weight, port: port, target: target)
  }

  @Test("A real name server is queried") func asksARealServer() async throws {
    try await NameServer.with(Self.zone) { (server) async throws in
      let resolver = SystemResolver(loop: .main, nameServer: server.address, seconds: 30, attempts: 2)
      guard case .records(let records) = await resolver.services("_xmpp-client._tcp.chat.example") else {
        Issue.record("no records")
        return
      }
      #expect(
        Set(records) == [record(10, 60, 5222, "xmpp.chat.example"), record(20, 0, 5222, "backup.chat.example")])
      #expect(
        await resolver.services("_xmpps-client._tcp.chat.example") == .records([record(5, 0, 443, "xmpp.chat.example")])
      )
      // dnsmasq writes a record without a target as `.`.
      #expect(await resolver.services("_xmpp-client._tcp.none.example") == .records([record(0, 0, 1, "")]))
      #expect(await resolver.services("_xmpp-client._tcp.nowhere.example") == .absent)
      #expect(await resolver.services("four.example") == .absent, "the name exists, but has no SRV record")
      #expect(await resolver.services("_xmpp-client._tcp.elsewhere.test") == .failed(.refused))

      #expect(try await resolver.addresses(of: "four.example", port: 7).map(\.description) == ["127.0.0.4 port 7"])
      #expect(try await resolver.addresses(of: "alias.example", port: 7).map(\.host) == ["127.0.0.4"])
      #expect(try await resolver.addresses(of: "six.example", port: 7).map(\.host) == ["::1"])
      #expect(try await Set(resolver.addresses(of: "xmpp.chat.example", port: 7).map(\.host)) == ["127.0.0.1", "::1"])
      await expectSentence("The host nowhere.example does not exist.", resolver, "nowhere.example")
      await expectSentence("The host only-text.example has no address.", resolver, "only-text.example")
      await expectSentence("DNS did not answer for the address of elsewhere.test.", resolver, "elsewhere.test")
    }
  }

  @Test("many addresses of one family leave those of the other in")
  func noFamilyCrowdsOutTheOther() async throws {
    let many = 1...TransportLimits.addressesPerTarget + 1
    // Which family comes first is for the machine's routes to say.
    let zone =
      many.flatMap { ["host-record=four.example,127.0.1.\($0)", "host-record=six.example,fd00::\($0)"] }
      + ["host-record=four.example,fd00::1", "host-record=six.example,127.0.1.1"]
    try await NameServer.with(zone) { (server) async throws in
      let resolver = SystemResolver(loop: .main, nameServer: server.address, seconds: 30, attempts: 2)
      for (host, isMostlyIPv6) in [("four.example", false), ("six.example", true)] {
        let addresses = try await resolver.addresses(of: host, port: 7)
        #expect(addresses.filter { $0.isIPv6 == isMostlyIPv6 }.count == TransportLimits.addressesPerTarget)
        #expect(addresses.filter { $0.isIPv6 != isMostlyIPv6 }.count == 1)
      }
    }
  }

  private func expectSentence(_ sentence: String, _ resolver: SystemResolver, _ host: String) async {
    let error = await #expect(throws: TransportError.self) { try await resolver.addresses(of: host, port: 1) }
    #expect(error?.code == .unresolved)
    #expect(error?.description == sentence)
  }

  @Test(
    "IP addresses need no name server", arguments: [("127.0.0.1", "127.0.0.1 port 5222"), ("::1", "::1 port 5222")])
  func addressesNeedNoServer(host: String, expected: String) async throws {
    let server = LyingNameServer { _ in nil }
    let resolver = SystemResolver(loop: .main, nameServer: server.address, seconds: 30, attempts: 2)
    #expect(try await resolver.addresses(of: host, port: 5222).map(\.description) == [expected])
    #expect(server.questions == 0)
  }

  /// RFC 6761: these names are not for name servers.
  @Test("Local and invalid names are not looked up") func localAndInvalidNamesAreNotAskedFor() async throws {
    let server = LyingNameServer { LyingNameServer.reply(to: $0, records: []) }
    let resolver = SystemResolver(loop: .main, nameServer: server.address, seconds: 30, attempts: 2)
    for host in ["localhost", "LocalHost", "a.b.localhost"] {
      let hosts = try await resolver.addresses(of: host, port: 1).map(\.host)
      #expect(!hosts.isEmpty && hosts.allSatisfy { $0 == "127.0.0.1" || $0 == "::1" })
      #expect(await resolver.services("_xmpp-client._tcp.\(host)") == .absent)
    }
    await expectSentence("The host a.invalid does not exist.", resolver, "a.invalid")
    #expect(await resolver.services("_xmpp-client._tcp.a.invalid") == .absent)
    #expect(server.questions == 0)
  }

  @Test(
    "A text that is not a host name is not looked up",
    arguments: ["", "a b", "evil\0.example", "-x.example", "a\n.example", "bücher.example", "1.2.3"])
  func whatIsNoHostNameIsNotAskedFor(host: String) async throws {
    let server = LyingNameServer { LyingNameServer.reply(to: $0, records: []) }
    let resolver = SystemResolver(loop: .main, nameServer: server.address, seconds: 30, attempts: 2)
    await #expect(throws: TransportError.self) { try await resolver.addresses(of: host, port: 1) }
    #expect(server.questions == 0)
  }

  /// The resolver gives up on a silent name server by itself, after some seconds.
  @Test("A name server that does not answer is given up") func aSilentServerIsGivenUp() async throws {
    let server = LyingNameServer { _ in nil }
    let resolver = SystemResolver(loop: .main, nameServer: server.address)
    #expect(await resolver.services("_xmpp-client._tcp.chat.example") == .failed(.noAnswer))
    #expect(try await server.received(Int(TransportLimits.queryAttempts)))
    let hasty = hastyResolver(server)
    await expectSentence("DNS did not answer for the address of chat.example.", hasty, "chat.example")
    #expect(try await server.received(Int(TransportLimits.queryAttempts) + 2), "A and AAAA, once")
  }

  /// Asks once and waits a second: for tests of servers that do not answer well.
  private func hastyResolver(_ server: LyingNameServer) -> SystemResolver {
    SystemResolver(loop: .main, nameServer: server.address, seconds: 1, attempts: 1)
  }

  /// Truncation would lead to TCP, whose time the C library does not limit.
  @Test("A truncated answer is used as it is") func aTruncatedAnswerIsTakenAsItIs() async throws {
    let server = LyingNameServer { question in
      LyingNameServer.reply(
        to: question, flags: (0x83, 0x80),
        records: [.service(priority: 1, weight: 2, port: 3, target: DNSMessage.name("a.example"))])
    }
    let resolver = SystemResolver(loop: .main, nameServer: server.address, seconds: 30, attempts: 2)
    #expect(await resolver.services("_xmpp-client._tcp.chat.example") == .records([record(1, 2, 3, "a.example")]))
  }

  /// A CNAME chain (RFC 1034 3.6.2) that leads nowhere.
  @Test("A chain of aliases that leads nowhere ends") func aChainOfAliasesThatLeadsNowhereEnds() async throws {
    let server = LyingNameServer { question in
      LyingNameServer.reply(
        to: question,
        records: (0..<40).map { DNSMessage.Record(type: 5, data: DNSMessage.name("a\(($0 + 1) % 40).example")) })
    }
    let resolver = SystemResolver(loop: .main, nameServer: server.address, seconds: 30, attempts: 2)
    #expect(await resolver.services("_xmpp-client._tcp.chat.example") == .absent)
    await #expect(throws: TransportError.self) { try await resolver.addresses(of: "chat.example", port: 1) }
  }

  /// The answer of a lying server is useless, but never causes a crash.
  @Test("A name server that lies is harmless", arguments: 0..<7)
  func aLyingServerIsHarmless(lie: Int) async throws {
    let server = LyingNameServer { question in
      switch lie {
      case 0:
        // Nothing but the head and noise.
        Array(question[..<2]) + [0x81, 0x80] + (0..<500).map { _ in UInt8.random(in: 0...255) }
      case 1:
        // Addresses where SRV was asked for, and the other way round.
        LyingNameServer.reply(
          to: question,
          records: [
            .init(type: 1, data: [127, 0, 0]), .init(type: 28, data: [1]),
            .service(priority: 1, weight: 1, port: 1, target: [0xC0, 0xFF]),
          ])
      case 2:
        // A name that points at itself.
        LyingNameServer.reply(
          to: question, records: [.init(type: 33, data: [0, 1, 0, 1, 0, 1, 0xC0, UInt8(question.count)])])
      case 3:
        // More records than there are.
        Array(question[..<2]) + [0x81, 0x80, 0, 1, 0xFF, 0xFF, 0, 0, 0, 0] + question[12...]
      case 4:
        // Not a response.
        Array(question)
      case 5:
        // As many as fit in a datagram.
        LyingNameServer.reply(
          to: question,
          records: (0..<1000).map {
            .service(priority: 0, weight: 0, port: 1, target: DNSMessage.name("h\($0).example"))
          })
      default:
        Array(question[..<2]) + [0x81, 0x80]
      }
    }
    let resolver = hastyResolver(server)
    if case .records(let records) = await resolver.services("_xmpp-client._tcp.chat.example") {
      #expect(lie == 5 && records.count <= TransportLimits.serviceRecords)
    }
    let found = try? await resolver.addresses(of: "chat.example", port: 1)
    #expect(found == nil)
    #expect(server.questions > 0)
  }
}
