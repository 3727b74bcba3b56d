// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Contact lists that go from one account to another.
@Suite("Contact lists as files")
struct FriendsFileTests {
  @Test(
    "what is exported and imported elsewhere is the same list", arguments: TestServer.Kind.allCases, ["csv", "json"])
  func roundTrip(kind: TestServer.Kind, format: String) async throws {
    try await withPair(on: kind) { alice, bob in
      let domain = alice.server.domain
      let csv =
        "jid,name,subscription,group,group\r\n"
        + "plain@\(domain),,,\r\n"
        + "odd@\(domain),\"O'D, \"\"d\"\" \u{1F600} <&>\",,\"A,B\",\"'q\"\"; ü\"\r\n"
        + "lines@\(domain),\"two\nlines\",none,Work,\r\n"
      let file = try alice.home.write(csv, to: "first.csv")
      #expect(
        try await alice.does("friends", "import", file) == [
          "line 2: Asked plain@\(domain) to be your friend.", "line 3: Asked odd@\(domain) to be your friend.",
          "line 4: Put lines@\(domain) on your list without asking them.",
        ])
      let exported = alice.home.path + "/list.\(format)"
      #expect(try await alice.does("friends", "export", exported) == ["Wrote 3 contacts to \(exported)."])
      #expect(try await bob.does("friends", "import", exported).count == 3)
      let original = try await alice.does("friends", "export")
      #expect(original.count == 3)
      #expect(try await bob.does("friends", "export") == original)
      // All is there: nothing is asked or changed any more.
      try await bob.does("friends", "rename", "plain@\(domain)", "Changed")
      let before = try await bob.does("friends", "export", "--format", "csv")
      #expect(try await bob.does("friends", "import", exported).allSatisfy { $0.contains("is already on your list") })
      #expect(try await bob.does("friends", "import", "-", input: .text(original.joined(separator: "\n"))).count == 3)
      #expect(try await bob.does("friends", "export", "--format", "csv") == before)
      #expect(
        original.contains { $0.contains(#""name":"O'D, \"d\" \#u{1F600} <&>""#) && $0.contains(#""A,B""#) },
        "\(original)")
    }
  }

  @Test("a line that is wrong is named, and the others go on", arguments: TestServer.Kind.allCases)
  func wrongLines(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, bob in
      let file = try alice.home.write(
        "bad@@x\n\(bob.jid),Bob\n\"open\n\(alice.jid)\n\(bob.jid.uppercased())\nb@x,\u{1}\n", to: "list")
      let outcome = try await alice.run("friends", "import", file)
      #expect(outcome.ending == .exited(65))
      #expect(
        outcome.lines == [
          "line 2: Asked \(bob.jid) to be your friend.", "line 4: \(alice.jid) is you.",
          "line 5: \(bob.jid) is already in line 2.",
        ])
      let errors = outcome.errors.split(separator: "\n")
      #expect(errors.count == 3)
      for (error, start) in zip(errors, ["line 1: ", "line 3: ", "line 6: "]) {
        #expect(error.hasPrefix("jackdaw: \(start)"), "\(error)")
      }
      let json = try await alice.run("friends", "import", file, "--json")
      #expect(json.ending == .exited(65))
      #expect(
        json.lines.contains { $0.hasSuffix(#""line":2,"jid":"\#(bob.jid)","outcome":"unchanged"}"#) }, "\(json.lines)")
      #expect(try await alice.does("friends").count == 1)
    }
  }

  @Test("what asked us is accepted by an import, as by adding")
  func acceptsRequests() async throws {
    try await withPair(on: .prosody) { alice, bob in
      try await bob.does("friends", "add", alice.jid)
      let lines = try await alice.does("friends", "import", "-", input: .text("\(bob.jid),Bob\n"))
      #expect(lines == ["line 1: Accepted \(bob.jid). They have yet to accept your request."])
      #expect(try await alice.does("friends", "requests").isEmpty)
      #expect(try await bob.does("friends", "requests").isEmpty)
      try await eventually { try await bob.does("friends").contains { $0.contains("\tfriend\t") } }
    }
  }

  @Test("a script names its files; its own lines are no contacts")
  func script() async throws {
    try await withPair(on: .prosody) { alice, bob in
      let file = try alice.home.write("\(bob.jid),\"Bob \"\"B\"\"\"\n", to: "friends list.csv")
      let output = alice.home.path + "/out.json"
      try await alice.does(input: .text("/friends import '\(file)'\n/friends export \(output)\n"))
      #expect(try await bob.does("friends", "import", output) == ["line 1: \(bob.jid) is you."])
      expectOneSentence(
        try await alice.run(input: .text("/friends import -\n")), code: 64, naming: "line 1: ")
    }
  }

  @Test("a name in a file or a link that misleads is refused, and one that a spreadsheet would run is text")
  func misleading() async throws {
    try await withPair(on: .prosody) { alice, bob in
      for name in ["Bo\u{9B}2Jb", "Bo\u{202E}b", "Bo\u{200B}b", alice.jid] {
        let outcome = try await alice.run("friends", "import", "-", input: .text("\(bob.jid),\"\(name)\"\n"))
        expectOneSentence(
          outcome, code: 65, naming: name == alice.jid ? "the address of somebody else" : "cannot be seen")
      }
      for name in ["Bo%C2%9B2Jb", "Bo%E2%80%AEb", alice.jid] {
        let outcome = try await alice.run("friends", "add", "xmpp:\(bob.jid)?roster;name=\(name)")
        expectOneSentence(
          outcome, code: 65, naming: name == alice.jid ? "the address of somebody else" : "cannot be seen")
      }
      #expect(try await alice.does("friends").isEmpty)
      try await alice.does("friends", "add", bob.jid, "--name", "=1+1")
      let exported = try await alice.run("friends", "export", "--format", "csv").output
      #expect(exported.contains("\(bob.jid),'=1+1,"), "\(exported)")
    }
  }
}
