// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// A roster push (RFC 6121 2.1.6) that comes on a stream which an earlier run left, before the list is asked for.
@Suite("The contact list after a kill")
struct InheritedRosterTests {
  private static let friends = (1...7).map { "friend-\($0)" }

  @Test(
    "is whole, though a change of it comes with the stream that goes on", arguments: TestServer.Kind.allCases)
  func changeWithTheStream(_ kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      for name in Self.friends { try await set(name, "before", of: alice) }
      try await alice.listening("--json") { listening in
        try await listening.expect(#""state":"online""#)
        try await bob.sees(alice)
        try await bob.does("send", alice.jid, "before")
        try await listening.expect(#""body":"before""#)
        listening.signal(SIGKILL)
        _ = try await listening.wait()
      }
      // From a device that shares nothing with the one that was killed.
      try await TestDirectory.with { elsewhere in
        let other = Person(server: alice.server, account: alice.account, home: elsewhere)
        try await set(Self.friends[0], "meanwhile", of: other)
      }
      try await TestProcess.withProcess(alice.invocation(["--json", "run", "-"], input: .open)) { script in
        script.send("/friends list\n/post x-listed\n")
        try await script.expect(#""state":"resumed""#)
        try await script.expect(#""event":"x-listed""#)
        script.closeInput()
        #expect(try await script.wait() == .exited(0))
        let listed = script.standardOutput.split(separator: "\n").map(String.init)
          .filter { $0.contains(#""event":"friend""#) && $0.contains(#""change":null"#) }
        let names = listed.compactMap { value(of: "name", in: $0) }
        #expect(listed.count == Self.friends.count + 1, "\(listed)")
        #expect(names.count { $0 == "before" } == Self.friends.count - 1)
        #expect(names.count { $0 == "meanwhile" } == 1)
      }
    }
  }

  /// An entry of the contact list of somebody who need not exist.
  private func set(_ user: String, _ name: String, of person: Person) async throws {
    let item = "<item jid='\(user)@\(person.server.domain)' name='\(name)'/>"
    try await person.does("xml", "<iq type='set'><query xmlns='jabber:iq:roster'>\(item)</query></iq>")
  }
}
