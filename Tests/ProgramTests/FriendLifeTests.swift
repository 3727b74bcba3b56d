// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Friendships from the shell, on real servers, mostly with the other side offline when it happens.
@Suite("The life of a friendship")
struct FriendLifeTests {
  /// The subscription that somebody's list shows with somebody, nil without an entry.
  private func subscription(_ person: Person, with other: Person) async throws -> String? {
    let line = try await person.does("--json", "friends").first { $0.contains("\"jid\":\"\(other.jid)\"") }
    guard let line, let start = line.firstRange(of: "\"subscription\":\"") else { return nil }
    return String(line[start.upperBound...].prefix { $0 != "\"" })
  }

  private func requests(_ person: Person) async throws -> [String] {
    try await person.does("friends", "requests", "--cards")
  }

  @Test("removing ends both directions on both sides", arguments: TestServer.Kind.allCases, [false, true])
  func removing(kind: TestServer.Kind, isOnline: Bool) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      func remove() async throws {
        #expect(try await subscription(bob, with: alice) == "both")
        #expect(try await alice.does("friends", "remove", bob.jid) == ["Removed \(bob.jid)."])
        #expect(try await subscription(alice, with: bob) == nil)
        try await eventually { [nil, "none"].contains(try await subscription(bob, with: alice)) }
      }
      if isOnline { try await bob.listening { _ in try await remove() } } else { try await remove() }
      #expect(try await requests(alice).isEmpty)
      #expect(try await requests(bob).isEmpty)
    }
  }

  @Test("two who add each other are friends, with no question left", arguments: TestServer.Kind.allCases)
  func bothAdd(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, bob in
      // One after the other, the first offline when the second adds.
      #expect(try await alice.does("friends", "add", bob.jid) == ["Asked \(bob.jid) to be your friend."])
      try await bob.does("friends", "add", alice.jid)
      try await expectFriends(alice, bob)
    }
    try await withPair(on: kind) { alice, bob in
      // At the same moment, both online.
      async let first = alice.does("friends", "add", bob.jid)
      async let second = bob.does("friends", "add", alice.jid)
      _ = try await (first, second)
      try await expectFriends(alice, bob)
    }
  }

  private func expectFriends(_ alice: Person, _ bob: Person) async throws {
    try await eventually {
      // Whoever logs in is told what was asked meanwhile.
      let open = [try await requests(alice), try await requests(bob)]
      let states = [try await subscription(alice, with: bob), try await subscription(bob, with: alice)]
      return open == [[], []] && states == ["both", "both"]
    }
  }

  @Test("a request is kept with the asker's vCard, and survives restarts", arguments: TestServer.Kind.allCases)
  func keptRequest(kind: TestServer.Kind) async throws {
    try await TestServer.withServer(kind) { server in
      let (alice, bob) = try await server.pair()
      try await TestDirectory.with { home in
        let alice = Person(server: server, account: alice, home: home)
        try await TestDirectory.with { otherHome in
          let bob = Person(server: server, account: bob, home: otherHome)
          try await bob.does("vcard", "set", "fn", "Bob the Builder")
          for _ in 0..<2 { try await bob.does("friends", "add", alice.jid) }
          for _ in 0..<2 {
            let lines = try await requests(alice)
            #expect(lines.count == 1)
            #expect(lines.first?.contains(bob.jid) == true)
            #expect(lines.first?.contains("Bob the Builder") == true)
          }
          try await server.restart()
          #expect(try await requests(alice).count == 1)
          try await alice.does("friends", "accept", bob.jid)
          #expect(try await requests(alice).isEmpty)
          try await server.restart()
          try await expectFriends(alice, bob)
        }
      }
    }
  }

  @Test("a request that was withdrawn cannot be accepted", arguments: TestServer.Kind.allCases)
  func withdrawn(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, bob in
      try await bob.does("friends", "add", alice.jid)
      #expect(try await requests(alice).count == 1)
      try await bob.does("friends", "cancel", alice.jid)
      expectOneSentence(try await alice.run("friends", "accept", bob.jid), code: 67, naming: "withdrawn")
      #expect(try await requests(alice).isEmpty)
    }
  }

  /// Servers on which a single command is at priority -1; of these only Prosody tells requests again to it.
  static let reservedServers: [(TestServer.Kind, TestServer.Options)] = [
    (.prosody, .init()), (.ejabberd, .meagreEjabberd),
  ]

  /// Bob asks, and alice's program has it in its store.
  private func asked(_ alice: Person, by bob: Person) async throws {
    try await alice.listening("--json") { listening in
      try await listening.expect(#""state":"online""#)
      try await bob.does("friends", "add", alice.jid)
      try await listening.expect(#""event":"friend-request""#)
    }
  }

  @Test("a request that was told once stays until it is answered, told again or not", arguments: reservedServers)
  func toldOnce(kind: TestServer.Kind, options: TestServer.Options) async throws {
    try await withPair(on: kind, options) { alice, bob in
      try await asked(alice, by: bob)
      for _ in 0..<2 { #expect(try await requests(alice).count == 1) }
      try await alice.does("friends", "accept", bob.jid)
      #expect(try await requests(alice).isEmpty)
      #expect(try await subscription(alice, with: bob) == "from")
    }
  }

  @Test("a request that was told once and withdrawn unseen cannot be accepted", arguments: reservedServers)
  func withdrawnUnseen(kind: TestServer.Kind, options: TestServer.Options) async throws {
    try await withPair(on: kind, options) { alice, bob in
      try await asked(alice, by: bob)
      try await bob.does("friends", "cancel", alice.jid)
      expectOneSentence(try await alice.run("friends", "accept", bob.jid), code: 67, naming: "withdrawn")
      #expect(try await requests(alice).isEmpty)
      #expect(try await alice.does("friends").isEmpty)
    }
  }

  @Test(
    "what the server says of an address that it cannot reach is shown",
    arguments: [(TestServer.Kind.prosody, 69, "not enabled"), (.ejabberd, 67, "does not exist or cannot be found")])
  func undeliverable(kind: TestServer.Kind, code: Int, says: String) async throws {
    try await withPair(on: kind) { alice, _ in
      let outcome = try await alice.run("friends", "add", "somebody@nowhere.invalid")
      expectOneSentence(outcome, code: code, naming: says)
      #expect(outcome.errors.contains("Your request to somebody@nowhere.invalid could not be delivered"))
      #expect(outcome.lines.isEmpty)
      // The server keeps it, and may try again; taken back, it is gone.
      #expect(try await alice.does("friends") == ["somebody\tsomebody@nowhere.invalid\tasked\tno answer yet"])
      try await alice.does("friends", "remove", "somebody@nowhere.invalid")
      #expect(try await alice.does("friends").isEmpty)
    }
  }

  @Test("a friend who has gone was last seen some time ago, as far as the session knows")
  func lastSeen() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await withBothOnline(LiveJackdaw(alice), LiveJackdaw(bob)) { alice, bob in
        // Whom she never saw cannot go.
        try await eventually {
          try await alice.types("/friends list").contains { value(of: "presence", in: $0) == "available" }
        }
        try await bob.end()
        try await eventually {
          let list = try await alice.types("/friends list")
          return list.contains {
            value(of: "presence", in: $0) == "unavailable" && value(of: "away_for", in: $0).flatMap { Int($0) } != nil
          }
        }
      }
    }
  }

  @Test("a link to a message is sent")
  func messageLink() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await bob.listening("--count", "1") { listening in
        try await alice.does("send", "xmpp:\(bob.jid)?message;body=by%20a%20link")
        try await listening.expect("by a link")
      }
    }
  }

  @Test("rejecting answers everybody and leaves nothing", arguments: TestServer.Kind.allCases)
  func rejectingAll(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, bob in
      let carol = Person(server: alice.server, account: try await alice.server.account("carol"), home: bob.home)
      for person in [bob, carol] { try await person.does("friends", "add", alice.jid) }
      #expect(try await requests(alice).count == 2)
      #expect(try await alice.does("friends", "reject", "--all").count == 2)
      #expect(try await requests(alice).isEmpty)
      #expect(try await alice.does("friends").isEmpty)
      for person in [bob, carol] {
        try await eventually {
          try await person.does("--json", "friends").allSatisfy { $0.contains("\"ask\":false") }
        }
      }
    }
  }

  @Test("a second log-in transfers no contact list", arguments: TestServer.Kind.allCases)
  func versioning(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      let first = try await alice.run("--log-xml", "friends")
      #expect(first.errors.contains("<item "))
      let second = try await alice.run("--log-xml", "friends")
      #expect(second.errors.contains("jabber:iq:roster"))
      #expect(!second.errors.contains("<item "))
      #expect(second.lines == first.lines)
      #expect(second.lines.contains { $0.contains(bob.jid) })
      // What changed meanwhile comes.
      try await bob.does("friends", "remove", alice.jid)
      try await eventually { try await subscription(alice, with: bob) == "none" }
    }
  }

  @Test("a room, ourselves and nonsense are refused before anything is sent")
  func refused() async throws {
    try await withPair(on: .prosody) { alice, _ in
      expectOneSentence(try await alice.run("friends", "add", alice.jid), code: 65, naming: "your own address")
      expectOneSentence(try await alice.run("friends", "add", "tea@rooms.jackdaw.test"), code: 65, naming: "is a room")
      #expect(try await alice.run("friends", "add", "@@/").ending == .exited(65))
      #expect(try await alice.does("friends").isEmpty)
    }
  }
}
