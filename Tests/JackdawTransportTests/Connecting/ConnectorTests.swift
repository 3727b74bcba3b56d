// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawHosts
import JackdawLoop
import Support
import Testing

@testable import JackdawTransport

@Client @Suite(.onLoop) struct ConnectorTests: ConnectorTesting {
  let progress = Progress()
  let names = ScriptedNames()
  let authority = TestAuthority()
  let clock = ManualClock()
  let closed = ClosedPort()

  // MARK: Where to

  @Test("The targets of the SRV records are tried in order") func triesTheRecordsInOrder() async throws {
    let server = LoopbackServer(progress: progress)
    names.offer([("dead.example", closed.port, false), ("alive.example", server.address.port, false)])
    names.hosts = ["dead.example": ["127.0.0.1"], "alive.example": ["127.0.0.1"]]
    let dial = dial(plan())
    try await dial.untilOver()
    #expect(dial.transport != nil)
    #expect(dial.security == nil)
    #expect(
      names.asked == [
        "_xmpps-client._tcp.chat.example", "_xmpp-client._tcp.chat.example", "dead.example", "alive.example",
      ])
  }

  @Test("A target that failed before is tried last") func whatCameToNothingBeforeIsTriedLast() async throws {
    let servers = [0, 1].map { _ in LoopbackServer(progress: progress) }
    let ports = servers.map(\.address.port)
    names.offer([("one.example", ports[0], false), ("two.example", ports[1], false)])
    names.hosts = ["one.example": ["127.0.0.1"], "two.example": ["127.0.0.1"]]
    let one = place("one.example", servers[0].address)
    let two = place("two.example", servers[1].address)
    let gone = place("gone.example", servers[0].address)
    for (last, chosen) in [([], one), ([one], two), ([two], one), ([one, two], one), ([gone, two, one], two)] {
      var plan = plan()
      plan.triedLast = last
      var choices: [ConnectionPlace] = []
      plan.onChoice = { place, _ in choices.append(place) }
      let dial = dial(plan)
      try await dial.untilOver()
      #expect(choices == [chosen], "\(last)")
    }
  }

  /// Behind one name there may be a machine that takes connections and nothing more.
  @Test("An address that failed before is tried after the others of its host")
  func anAddressThatCameToNothingBeforeIsTriedAfterTheOthersOfItsName() async throws {
    let first = LoopbackServer(progress: progress)
    // On Linux all of 127.0.0.0/8 is this machine.
    let second = LoopbackServer("127.0.0.2", port: first.address.port, progress: progress)
    names.offer([("host.example", first.address.port, false)])
    names.hosts = ["host.example": ["127.0.0.1", "127.0.0.2"]]
    let one = place("host.example", first.address)
    let two = place("host.example", second.address)
    for (last, chosen) in [([], one), ([one], two), ([one, two], one)] {
      var plan = plan()
      plan.triedLast = last
      var choices: [ConnectionPlace] = []
      plan.onChoice = { place, _ in choices.append(place) }
      let dial = dial(plan)
      try await dial.untilOver()
      #expect(choices == [chosen], "\(last)")
    }
  }

  private func place(_ host: String, _ address: SocketAddress) -> ConnectionPlace {
    ConnectionPlace(
      target: ConnectionTarget(host: host, port: address.port, usesDirectTLS: false), address: address)
  }

  @Test("Only the services that the security mode allows are looked up") func asksOnlyWhatTheModeAllows() async throws {
    names.offer([("x.example", 1, false), ("y.example", 1, true)])
    let starttls = dial(plan(tls: .starttls))
    try await starttls.untilOver()
    #expect(names.asked == ["_xmpp-client._tcp.chat.example", "x.example"])
    let direct = dial(plan(tls: .direct))
    try await direct.untilOver()
    #expect(names.asked.dropFirst(2) == ["_xmpps-client._tcp.chat.example", "y.example"])
  }

  @Test("Two ports of one host need one look-up") func twoPortsOfAHostAreOneLookUp() async throws {
    let server = LoopbackServer(progress: progress)
    names.offer([("host.example", closed.port, true), ("host.example", server.address.port, false)])
    names.hosts = ["host.example": ["127.0.0.1"]]
    let dial = dial(plan())
    try await dial.untilOver()
    #expect(dial.transport != nil)
    #expect(names.asked.filter { $0 == "host.example" }.count == 1)
  }

  @Test("A configured server needs no SRV look-up", arguments: ["127.0.0.1", "::1"])
  func aServerOptionNeedsNoLookUp(host: String) async throws {
    let server = LoopbackServer(host, progress: progress)
    let dial = dial(plan(server: HostPort(host: host, port: server.address.port)))
    try await dial.untilOver()
    #expect(dial.transport != nil)
    #expect(names.asked.isEmpty)
  }

  @Test("After one service's look-up without an answer the other one is not looked up")
  func aSilentNameServerIsAskedOnce() async throws {
    names.services = ["_xmpps-client._tcp.chat.example": .failed(.noAnswer)]
    let dial = dial(plan())
    try await dial.untilOver()
    #expect(names.asked == ["_xmpps-client._tcp.chat.example", "chat.example"])
  }

  /// The SRV target `.` means that the service is not offered (RFC 2782).
  @Test("A domain that declares the service as not offered is not tried")
  func aServiceThatIsNotOfferedIsNotTried() async throws {
    names.services = [
      "_xmpp-client._tcp.chat.example": .records([ServiceRecord(priority: 0, weight: 0, port: 0, target: "")])
    ]
    names.hosts = ["chat.example": ["127.0.0.1"]]
    let dial = dial(plan())
    try await dial.untilOver()
    #expect(dial.code == .notOffered)
    #expect(!names.asked.contains("chat.example"))
  }

  @Test(
    "A domain that is not a host name is neither looked up nor connected to",
    arguments: ["", "a b", "evil\0.example", "-x", "a\nb", "bücher.example"])
  func aDomainThatIsNoNameGoesNowhere(domain: String) async throws {
    let dial = dial(plan(domain))
    try await dial.untilOver()
    #expect(dial.code == .unresolved)
    #expect(names.asked.isEmpty)
  }

  // MARK: The race

  /// One slow address does not use up the time (RFC 8305).
  @Test("A slow address is overtaken") func aSlowAddressIsOvertaken() async throws {
    let slow = try SlowServer(progress: progress)
    let server = LoopbackServer("::1", progress: progress)
    names.offer([("slow.example", slow.port, false), ("fast.example", server.address.port, false)])
    names.hosts = ["slow.example": ["127.0.0.1"], "fast.example": ["::1"]]
    let dial = dial(plan())
    await clock.elapse(.milliseconds(249))
    #expect(!dial.isOver)
    await clock.elapse(.milliseconds(1))
    try await dial.untilOver()
    #expect(dial.transport != nil)
  }

  /// The total time is limited, and the message says what the client waited for.
  @Test("The deadline ends the connection attempt") func theDeadlineEndsIt() async throws {
    let slow = try SlowServer(progress: progress)
    let dial = dial(plan(server: HostPort(host: "127.0.0.1", port: slow.port)))
    await clock.elapse(.milliseconds(29_999))
    #expect(!dial.isOver)
    await clock.elapse(.milliseconds(1))
    try await dial.untilOver()
    #expect(dial.code == .timedOut)
    #expect(dial.sentence == "No connection to chat.example in 30 s: no answer from 127.0.0.1 port \(slow.port).")
  }

  @Test("The deadline covers the look-up") func theDeadlineCoversTheLookUp() async throws {
    names.silent = ["_xmpps-client._tcp.chat.example"]
    let dial = dial(plan())
    await clock.elapse(.seconds(30))
    try await dial.untilOver()
    #expect(dial.code == .timedOut)
    #expect(dial.sentence == "No connection to chat.example in 30 s: DNS did not answer.")
  }

  @Test("The deadline covers the TLS handshake") func theDeadlineCoversTheHandshake() async throws {
    let server = LoopbackServer(progress: progress)
    let dial = dial(plan(server: HostPort(host: "127.0.0.1", port: server.address.port), tls: .direct))
    let peer = try await server.firstPeer()
    try await progress.until("the ClientHello is there") { !peer.received.isEmpty }
    await clock.elapse(.seconds(30))
    try await dial.untilOver()
    #expect(dial.code == .timedOut)
    #expect(
      dial.sentence?.hasSuffix("127.0.0.1 port \(server.address.port) does not finish the TLS handshake.") == true)
    try await progress.until("the server sees the end") { peer.end != nil }
  }

  @Test("Cancelling leaves nothing open") func cancellingLeavesNothingOpen() async throws {
    let server = LoopbackServer(progress: progress)
    let dial = dial(plan(server: HostPort(host: "127.0.0.1", port: server.address.port), tls: .direct))
    let peer = try await server.firstPeer()
    dial.cancel()
    try await dial.untilOver()
    #expect(dial.error is CancellationError)
    try await progress.until("the server sees the end") { peer.end != nil }
    #expect(clock.pendingTimers == 0)
  }

  @Test("Cancelling a look-up returns at once") func cancellingALookUpReturnsAtOnce() async throws {
    names.silent = ["_xmpps-client._tcp.chat.example"]
    let dial = dial(plan())
    await clock.settle()
    dial.cancel()
    try await dial.untilOver()
    #expect(dial.error is CancellationError)
  }

  // MARK: Errors

  @Test("A refused connection is reported with address and port") func aRefusedPortIsNamed() async throws {
    let port = closed.port
    let dial = dial(plan(server: HostPort(host: "127.0.0.1", port: port)))
    try await dial.untilOver()
    #expect(dial.code == .unreachable)
    #expect((dial.error as? TransportError)?.errno == ECONNREFUSED)
    #expect(dial.sentence == "chat.example cannot be reached (127.0.0.1 port \(port): connection refused).")
  }

  @Test("An unknown host is reported with its name") func anUnknownHostIsNamed() async throws {
    let dial = dial(plan())
    try await dial.untilOver()
    #expect(dial.code == .unresolved)
    #expect(dial.sentence == "The host chat.example does not exist.")
  }

  @Test("A bad CA file is reported at once") func aBadCAFileIsToldAtOnce() async throws {
    let server = LoopbackServer(progress: progress)
    var plan = plan(server: HostPort(host: "127.0.0.1", port: server.address.port))
    plan.caFile = "/nonexistent/ca.pem"
    let dial = dial(plan)
    try await dial.untilOver()
    #expect(dial.code == .caFile)
  }

  // MARK: Descriptors

  /// No descriptor leaks over 1,000 connections, however they end.
  @Test("A thousand connections in the clear leave no descriptor open")
  func aThousandConnectionsLeaveNoDescriptor() async throws {
    var answers = 0
    let server = LoopbackServer(progress: progress) { peer in
      answers += 1
      switch answers % 4 {
      case 0: peer.startTLS(TestTLSServer(self.authority.identity("other.example")))
      case 1: peer.reset()
      case 2: peer.finish()
      default: peer.startTLS(TestTLSServer(self.authority.identity()))
      }
    }
    let connector = connector()
    let port = server.address.port
    for round in 0..<1000 {
      let dial = Dial(
        connector, plan(server: HostPort(host: "127.0.0.1", port: port), tls: round % 5 == 0 ? .starttls : .direct),
        progress)
      if round % 7 == 0 { dial.cancel() }
      try await dial.untilOver()
      // One in three is only let go of.
      if round % 3 == 0 { dial.transport?.abort() }
      server.forgetPeers()
    }
    await EventLoop.main.idle()
    #expect(openSockets(peerPort: port) == 0)
    #expect(clock.pendingTimers == 0)
  }

  /// Descriptors of this process that are connected to `port`; other tests have others.
  private func openSockets(peerPort port: UInt16) -> Int {
    (0..<4096).filter { descriptor in
      var storage = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      return withUnsafeMutablePointer(to: &storage) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          guard getpeername(Int32(descriptor), address, &length) == 0 else { return false }
          return SocketAddress(copying: address, length: length)?.port == port
        }
      }
    }.count
  }
}
