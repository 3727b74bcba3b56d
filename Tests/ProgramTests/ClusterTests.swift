// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawHosts
import Support
import Testing

/// Several servers of one domain, named by SRV records.
@Suite("A domain of several servers")
struct ClusterTests {
  /// What becomes of the node that alice is on.
  enum Blow: CaseIterable {
    /// As `ejabberdctl stop` does it: whoever is there is told.
    case stop
    case kill
  }

  /// Whether bob is on the node that goes, too.
  private static let cases = Blow.allCases.flatMap { blow in [(blow, false), (blow, true)] }

  /// Two ejabberds of one cluster, and one of them goes in the middle of a conversation.
  @Test("of which one goes takes its clients to the other, and no message is lost or doubled")
  func nodeGoes() async throws {
    try await TestServer.withCluster { first, second in
      let domain = first.domain
      let zone = records(domain, [first.address, second.address])
      try await PrivateNames.with(domain, zone: zone) { resolver in
        for (blow, takesBoth) in Self.cases {
          // The one that went for the case before.
          try await first.start()
          try await converse(over: first, second, resolver, blow, takesBoth: takesBoth)
        }
      }
    }
  }

  @Test("of which the first breaks off every log-in is reached at the second, and at the second try")
  func firstFails() async throws {
    try await withPair(on: .prosody) { alice, bob in
      let (server, domain) = (alice.server, alice.server.domain)
      try await FaultProxy.with(to: server, after: 1_000) { proxy in
        let zone = records(domain, [proxy.address, server.address])
        try await PrivateNames.with(domain, zone: zone) { resolver in
          try await atThePrompt(alice, with: bob.jid, resolver) { prompt in
            try await prompt.expectScreen(showing: bob.jid)
            #expect(proxy.connections == 1)
            prompt.send("/quit" + Key.enter)
            #expect(try await prompt.wait() == .exited(0))
          }
        }
      }
    }
  }

  /// XEP-0198 5: the server says where its streams are resumed, and who is there has no certificate of the domain.
  @Test("that has its streams resumed where the certificate is bad resumes them itself, at once")
  func badLocation() async throws {
    try await TestServer.withServer(.prosody, .init { $0.certificate = .wrongName }) { other in
      try await FaultProxy.with(to: other) { elsewhere in
        try await withPair(on: .prosody, .init { $0.location = "\(elsewhere.address)" }, friends: true) { alice, bob in
          let domain = bob.server.domain
          try await FaultProxy.with(to: bob.server) { proxy in
            try await PrivateNames.with(domain, zone: records(domain, [proxy.address])) { resolver in
              // What the configuration names is left for no other.
              var invocation = bob.invocation(["listen", "--json", "--count", "2"])
              invocation.environment["JACKDAW_SERVER"] = nil
              try await TestProcess.withProcess(invocation.resolving(by: resolver)) { listening in
                try await listening.expect(#""state":"online""#)
                try await alice.sees(bob)
                try await alice.does("send", bob.jid, "before")
                try await listening.expect(#""body":"before""#)
                #expect(elsewhere.connections == 0)
                proxy.cut()
                try await listening.expect(#""state":"resumed""#)
                #expect(elsewhere.connections == 1)
                let tries = listening.standardOutput.split(separator: "\n").count {
                  $0.contains(#""state":"retrying""#)
                }
                #expect(tries == 1, "\(listening.standardOutput)")
                try await alice.does("send", bob.jid, "after")
                #expect(try await listening.wait() == .exited(0), "\(listening.standardError)")
                #expect(listening.shownBodies == ["before", "after"])
              }
            }
          }
        }
      }
    }
  }

  /// The records of a domain whose servers are to be tried in this order.
  private func records(_ domain: String, _ servers: [HostPort]) -> [String] {
    servers.enumerated().flatMap { priority, server in
      [
        "host-record=server\(priority).\(domain),\(server.host)",
        "srv-host=_xmpp-client._tcp.\(domain),server\(priority).\(domain),\(server.port ?? 5222),\(priority)",
      ]
    }
  }

  /// Two say numbers to each other, before the node goes, while that is found out, and afterwards. Nobody says anything to
  /// somebody on it until the other node knows that it has gone: what ejabberd still sends there is lost, though it has said that
  /// it has it.
  private func converse(
    over first: TestServer, _ second: TestServer, _ resolver: String, _ blow: Blow, takesBoth: Bool
  ) async throws {
    let (aliceAccount, bobAccount) = try await second.pair(friends: true)
    try await TestDirectory.with { aliceHome in
      try await TestDirectory.with { bobHome in
        let alice = Person(server: first, account: aliceAccount, home: aliceHome)
        let bob = Person(server: second, account: bobAccount, home: bobHome)
        try await atThePrompt(alice, with: bob.jid, resolver) { alicesPrompt in
          try await atThePrompt(bob, with: alice.jid, takesBoth ? resolver : nil) { bobsPrompt in
            // Only then are both nodes known to know of both.
            try await alicesPrompt.expectScreen(showing: "\(bob.jid) is online")
            try await bobsPrompt.expectScreen(showing: "\(alice.jid) is online")
            var talk = Talk(alice: alicesPrompt, bob: bobsPrompt)
            talk.bothSay(10)
            try await talk.hearAll()
            try await blow == .stop ? first.stop() : first.kill()
            // A stop takes longer than the first pause, as a kill may on a busy machine: alice may be on the other node then, for which bob
            // is still on this one.
            if takesBoth { try await second.becomeAlone() }
            talk.aliceSays(10)
            try await alicesPrompt.expect("next try in")
            try await second.becomeAlone()
            talk.bothSay(10)
            try await alicesPrompt.expect("online")
            try await talk.hearAll()
            talk.bothSay(10)
            try await talk.hearAll()
            for prompt in [alicesPrompt, bobsPrompt] {
              prompt.send("/quit" + Key.enter)
              #expect(try await prompt.wait() == .exited(0))
            }
            // In the order in which the server brought them.
            var came = [try await stored(of: alice, from: "bob"), try await stored(of: bob, from: "alice")]
            #expect(talk.heard == came.map { $0.map(\.number) }, "\(blow), both: \(takesBoth)")
            // What ejabberd is just storing for somebody who comes back it gives them at the next log-in.
            try await eventually {
              if came.map(\.count) == [30, 40] { return true }
              for (account, home) in [(aliceAccount, aliceHome), (bobAccount, bobHome)] {
                try await Person(server: second, account: account, home: home).does("listen", "--for", "3")
              }
              came = [try await stored(of: alice, from: "bob"), try await stored(of: bob, from: "alice")]
              return came.map(\.count) == [30, 40]
            }
            // In the order in which it took them: ejabberd's deliveries overtake each other now and then.
            for (messages, count) in zip(came, [30, 40]) {
              let taken = messages.sorted { $0.archive < $1.archive }.map(\.number)
              #expect(taken == Array(1...count), "\(blow), both: \(takesBoth)")
            }
          }
        }
        for (person, speaker, count) in [(alice, "alice", 40), (bob, "bob", 30)] {
          let said = try await stored(of: person, from: speaker).map(\.number)
          #expect(said == Array(1...count), "\(blow), both: \(takesBoth)")
        }
      }
    }
  }

  /// - Parameter resolver: where the servers are found; nil: the person's own server is named.
  private func atThePrompt(
    _ person: Person, with other: String, _ resolver: String?, _ body: (TestProcess) async throws -> Void
  ) async throws {
    var invocation = person.invocation(["chat", other], terminal: .init(columns: 200, rows: 40))
    if let resolver {
      invocation.environment["JACKDAW_SERVER"] = nil
      invocation = invocation.resolving(by: resolver)
    }
    try await TestProcess.withProcess(invocation) { prompt in
      try await prompt.expect("online")
      try await body(prompt)
    }
  }

  /// The numbers that somebody's database has from one of the two, in its order, with the ids of the server's archive: those
  /// of ejabberd are microseconds. 0: none yet.
  private func stored(of person: Person, from speaker: String) async throws -> [(number: Int, archive: Int)] {
    let program = """
      import sqlite3, sys
      rows = sqlite3.connect(sys.argv[1]).execute("SELECT archive, body FROM message WHERE seq > 0 ORDER BY seq")
      for archive, body in rows:
          print(archive or 0, body)
      """
    let database = person.home.path + "/.local/share/jackdaw/\(person.jid).sqlite3"
    let lines = try await TestProcess.run(.init(SourceTree.python, ["-c", program, database])).lines
    return lines.compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 4, words[1] == speaker, let archive = Int(words[0]), let number = Int(words[3]) else {
        return nil
      }
      return (number, archive)
    }
  }

  /// Numbers, said at both prompts.
  private struct Talk {
    let alice: TestProcess
    let bob: TestProcess
    private var said = (alice: 0, bob: 0)

    init(alice: TestProcess, bob: TestProcess) { (self.alice, self.bob) = (alice, bob) }

    mutating func bothSay(_ more: Int) {
      for _ in 0..<more {
        aliceSays(1)
        said.bob += 1
        bob.send("bob says \(said.bob)" + Key.enter)
      }
    }

    mutating func aliceSays(_ more: Int) {
      for _ in 0..<more {
        said.alice += 1
        alice.send("alice says \(said.alice)" + Key.enter)
      }
    }

    func hearAll() async throws {
      try await alice.expect("bob says \(said.bob)")
      try await bob.expect("alice says \(said.alice)")
    }

    /// What alice was shown of bob's, and bob of alice's.
    var heard: [[Int]] {
      [(alice, "bob"), (bob, "alice")].map { prompt, speaker in
        prompt.standardOutput.split(separator: "\(speaker) says ").dropFirst().compactMap {
          Int($0.prefix { $0.isNumber })
        }
      }
    }
  }
}
