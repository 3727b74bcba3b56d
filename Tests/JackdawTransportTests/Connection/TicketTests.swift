// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawHosts
import JackdawLoop
import Support
import Testing

@testable import JackdawTransport

/// Tickets on their way through a transport.
@Client @Suite("A connection's tickets", .onLoop) struct TicketTests: ConnectorTesting {
  let progress = Progress()
  let names = ScriptedNames()
  let authority = TestAuthority()
  let clock = ManualClock()
  let closed = ClosedPort()

  /// What is kept, and for what it was asked.
  @Client private final class Purse {
    private let progress: Progress
    var kept: [TLSTicket] = []
    var asked: [String] = []

    init(_ progress: Progress) { self.progress = progress }

    var tickets: TLSTickets {
      TLSTickets(
        take: { scope in
          self.asked.append(scope)
          return self.kept.popLast()
        },
        keep: {
          self.kept.append($0)
          self.progress.happened()
        })
    }
  }

  @Test("are asked for when TLS begins, and handed over as they come")
  func startTLS() async throws {
    let purse = Purse(progress)
    let line = try await Line(tickets: purse.tickets)
    #expect(purse.asked.isEmpty)
    try await line.secure()
    #expect(purse.asked.count == 1 && purse.asked[0].hasPrefix("chat.example STARTTLS "))
    try await progress.until("a ticket comes") { !purse.kept.isEmpty }
    #expect(purse.kept.last?.scope == purse.asked[0])
  }

  @Test("resume the next connection with direct TLS, each once")
  func direct() async throws {
    var first: TestTLSServer?
    let identity = authority.identity()
    let server = LoopbackServer(progress: progress) { peer in
      let end = first.map(TestTLSServer.init(again:)) ?? TestTLSServer(identity)
      first = first ?? end
      peer.startTLS(end)
    }
    let purse = Purse(progress)
    var plan = plan(server: HostPort(host: "127.0.0.1", port: server.address.port), tls: .direct)
    plan.tickets = purse.tickets
    for isResumed in [false, true, true] {
      #expect(purse.kept.count == (isResumed ? 1 : 0))
      let dial = dial(plan)
      try await dial.untilOver()
      #expect(dial.security?.isResumed == isResumed)
      let recorder = Recorder(progress)
      let transport = try #require(dial.transport)
      recorder.during { transport.delegate = recorder }
      try await progress.until("a ticket comes") { !purse.kept.isEmpty }
      transport.abort()
    }
    #expect(purse.asked.count == 3)
  }

  @Test("are not asked for, nor kept, where the plan has none")
  func unwanted() async throws {
    let line = try await Line()
    try await line.secure()
    line.peer.send("words")
    try await line.untilClient(has: 5)
    #expect(line.recorder.security?.isResumed == false)
  }
}
