// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// The commands of friendship as a shell, a script and the prompt have them.
@Suite("Friends' commands")
struct FriendsCommandTests {
  @Test("may be given twice, and are truthful about it", arguments: TestServer.Kind.allCases)
  func twice(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, bob in
      for _ in 0..<2 {
        #expect(try await alice.does("friends", "add", bob.jid) == ["Asked \(bob.jid) to be your friend."])
      }
      #expect(try await alice.does("friends").count == 1)
      #expect(try await bob.does("friends", "requests").count == 1)
      #expect(try await bob.does("friends", "accept", alice.jid).count == 1)
      let again = try await bob.does("friends", "accept", alice.jid)
      #expect(again == ["\(alice.jid) already sees when you are online, and has yet to accept your request."])
      // Bob, whom alice has asked, is accepted as soon as she is told that he asks back.
      #expect(try await alice.does("friends", "requests").isEmpty)
      try await eventually { try await alice.does("friends").contains { $0.contains("\tfriend\t") } }
      #expect(try await alice.does("friends", "add", bob.jid) == ["\(bob.jid) is already your friend."])

      for _ in 0..<2 {
        #expect(try await alice.does("friends", "rename", bob.jid, "Bob B.") == ["\(bob.jid) is now called 'Bob B.'."])
        #expect(try await alice.does("friends", "group", "bob b.", "A,B", "C d") == ["Bob B. is now in A,B, C d."])
      }
      let line = try #require(try await alice.does("friends").first)
      #expect(line.hasPrefix("Bob B.\t\(bob.jid)\tfriend\tunknown\t["), "\(line)")
      #expect(try await alice.does("friends", "--group", "C d") == [line])
      #expect(try await alice.does("friends", "--group", "C").isEmpty)
      #expect(try await alice.does("friends", "group", "Bob B.") == ["Bob B. is in no group now."])
      #expect(try await alice.does("friends", "--group", "C d").isEmpty)

      for _ in 0..<2 {
        try await alice.does("friends", "revoke", "Bob B.")
        #expect(try await alice.does("friends") == ["Bob B.\t\(bob.jid)\tyou see them\tunknown"])
      }
      for _ in 0..<2 {
        try await alice.does("friends", "unsubscribe", "Bob B.")
        #expect(try await alice.does("friends") == ["Bob B.\t\(bob.jid)\tnot friends\tunknown"])
      }
      #expect(try await alice.does("friends", "rename", "Bob B.", "") == ["\(bob.jid) has no name now."])
      expectOneSentence(try await alice.run("friends", "cancel", bob.jid), code: 67, naming: "no open request")
      #expect(try await alice.does("friends", "add", bob.jid) == ["Asked \(bob.jid) to be your friend."])
      #expect(try await alice.does("friends", "cancel", bob.jid) == ["Withdrew your request to \(bob.jid)."])
      #expect(try await alice.does("friends", "remove", bob.jid) == ["Removed \(bob.jid)."])
      expectOneSentence(try await alice.run("friends", "remove", bob.jid), code: 67, naming: "not on your contact list")
      expectOneSentence(try await alice.run("friends", "remove", "Bob B."), code: 67, naming: "'Bob B.'")
    }
  }

  @Test("say who asks, and the prompt that there is somebody to answer", arguments: TestServer.Kind.allCases)
  func message(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, bob in
      try await alice.does("friends", "add", bob.jid, "--message", "We met in Rome")
      #expect(try await bob.does("friends", "requests") == ["\(alice.jid)\t\tWe met in Rome"])
      try await bob.atThePrompt { prompt in
        try await prompt.expectScreen(showing: "\(alice.jid) is waiting for your answer")
        prompt.send("/friends accept \(alice.jid)" + Key.enter)
        try await prompt.expectScreen(showing: "Accepted")
        prompt.send("/quit" + Key.enter)
        #expect(try await prompt.wait() == .exited(0))
      }
    }
  }

  @Test("take several addresses, and do the others where one fails", arguments: TestServer.Kind.allCases)
  func several(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, bob in
      let carol = try await alice.server.account("carol")
      let nobody = "nobody@\(alice.server.domain)"
      // What is wrong with a word is told before anything is sent for the others.
      for wrong in [alice.jid, "b@@x", "xmpp:x@y?join"] {
        expectOneSentence(try await alice.run("friends", "add", bob.jid, wrong), code: 65, naming: "")
      }
      #expect(try await alice.does("friends").isEmpty)
      let added = try await alice.does("friends", "add", bob.jid, carol.jid, bob.jid, "--group", "New")
      #expect(
        added.sorted() == ["Asked \(bob.jid) to be your friend.", "Asked \(carol.jid) to be your friend."].sorted())
      let outcome = try await alice.run("friends", "cancel", bob.jid, nobody, carol.jid)
      #expect(outcome.ending == .exited(67) && outcome.lines.count == 2, "\(outcome.output)")
      #expect(outcome.errors == "jackdaw: You have no open request to \(nobody).\n")
      for command in ["unsubscribe", "revoke", "remove"] {
        #expect(try await alice.does("friends", command, bob.jid, carol.jid).count == 2, "\(command)")
      }
      #expect(try await alice.does("friends").isEmpty)
    }
  }

  @Test("answer everybody at once", arguments: TestServer.Kind.allCases)
  func everybody(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, bob in
      #expect(try await alice.does("friends", "accept", "--all").isEmpty)
      #expect(try await alice.does("friends", "reject", "--all").isEmpty)
      expectOneSentence(try await alice.run("friends", "reject"), code: 64, naming: "--all")
      expectOneSentence(try await alice.run("friends", "accept", "--all", bob.jid), code: 64, naming: "--all")
      for answer in ["reject", "accept"] {
        for name in ["carol", "dave", "erin"] {
          let account = try await alice.server.account(name)
          try await TestDirectory.with { home in
            let asker = Person(server: alice.server, account: account, home: home)
            try await asker.does("friends", "add", alice.jid)
          }
        }
        #expect(try await alice.does("friends", "requests").count == 3)
        #expect(try await alice.does("friends", answer, "--all").count == 3)
        #expect(try await alice.does("friends", "requests").isEmpty)
        let accepted = try await alice.does("friends").filter {
          $0.contains("\tthey see you, asked") || $0.contains("\tfriend\t")
        }
        #expect(accepted.count == (answer == "accept" ? 3 : 0))
      }
    }
  }

  @Test("a name stands for its only friend, with every command; for several it is refused with them")
  func names() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      let twin = try await alice.server.account("twin")
      try await alice.does("friends", "rename", bob.jid, "Twin 'q\" B")
      try await alice.does("send", "twin 'q\" b", "by name")
      #expect(try await alice.does("friends", "add", "Twin 'q\" B") == ["Twin 'q\" B is already your friend."])
      #expect(try await alice.does("block", "Twin 'q\" B") == ["Twin 'q\" B (\(bob.jid)) is blocked."])
      #expect(try await alice.does("unblock", "Twin 'q\" B") == ["Twin 'q\" B (\(bob.jid)) is no longer blocked."])
      let script = try alice.home.write(#"/to "Twin 'q\" B"\#nfrom a script\#n"#, to: "script")
      try await alice.does("run", script)
      try await bob.listening("--count", "2") { listening in
        try await listening.expect("by name")
        try await listening.expect("from a script")
      }
      try await alice.does("friends", "add", twin.jid, "--name", "Twin 'Q\" b")
      let arguments: [[String]] = [
        ["send", "TWIN 'q\" b", "x"], ["friends", "remove", "TWIN 'q\" b"], ["ping", "TWIN 'q\" b"],
        ["friends", "show", "TWIN 'q\" b"], ["friends", "add", "TWIN 'q\" b"], ["block", "TWIN 'q\" b"],
      ]
      for words in arguments {
        let outcome = try await TestProcess.run(alice.invocation(words))
        expectOneSentence(outcome, code: 65, naming: "do you mean")
        #expect(outcome.errors.contains(bob.jid) && outcome.errors.contains(twin.jid), "\(words)")
      }
      // To the letter it is one of them.
      #expect(try await alice.does("friends", "remove", "Twin 'Q\" b") == ["Removed Twin 'Q\" b (\(twin.jid))."])
    }
  }

  @Test("Tab completes a name with spaces so that it is one word, and a JID")
  func completion() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await alice.does("friends", "rename", bob.jid, "Robert O'Bob")
      try await alice.atThePrompt { prompt in
        try await prompt.expectScreen(showing: "online")
        prompt.send("/to Rob" + Key.tab)
        try await prompt.expectScreen("a quoted name") { $0.cursorLine.contains(#"/to Robert\ O\'Bob"#) }
        prompt.send(Key.enter)
        try await prompt.expectScreen("the name in the prompt") { $0.cursorLine.contains("Robert O'Bob") }
        prompt.send("/friends rename '" + "Robert O" + Key.tab)
        try await prompt.expectScreen("the name again") { $0.cursorLine.contains(#"rename Robert\ O\'Bob"#) }
        prompt.send(Key.controlU + "/friends unsubscribe " + String(bob.account.user.prefix(6)) + Key.tab)
        try await prompt.expectScreen("the JID") { $0.cursorLine.contains("unsubscribe \(bob.jid)") }
        prompt.send(Key.enter)
        try await prompt.expectScreen(showing: "You no longer see when Robert O'Bob is online.")
        prompt.send("/friends remove Robert\\ O\\'Bob" + Key.enter)
        try await prompt.expectScreen(showing: "Removed Robert O'Bob (\(bob.jid)).")
        prompt.send("/quit" + Key.enter)
        #expect(try await prompt.wait() == .exited(0))
      }
    }
  }

  @Test("say the same to programs")
  func json() async throws {
    try await withPair(on: .prosody) { alice, bob in
      let added = try await alice.does("friends", "add", "xmpp:\(bob.jid)?roster;name=B%C3%B6b;group=A%2CB", "--json")
      #expect(added.count == 1)
      #expect(added[0].hasSuffix(#""command":"friends add","jid":"\#(bob.jid)","outcome":"requested"}"#), "\(added)")
      let list = try await alice.does("friends", "--json")
      #expect(
        list[0].contains(#""name":"Böb","subscription":"none","ask":true,"groups":["A,B"],"change":null"#), "\(list)")
      let failed = try await alice.run("friends", "accept", bob.jid, "--json")
      #expect(failed.ending == .exited(67))
      #expect(failed.lines.last?.contains(#""command":"friends accept","condition":"item-not-found""#) == true)
      let invite = try await alice.does("friends", "invite", "--json")
      #expect(invite.count == 1 && invite[0].hasSuffix(#""uri":"xmpp:\#(alice.jid)?subscribe"}"#), "\(invite)")
    }
  }

  @Test("an invitation is read by a camera, and followed by whoever has read it")
  func invitation() async throws {
    try await withPair(on: .prosody) { alice, bob in
      let link = try await TestDirectory.with { folder in
        try await TestProcess.withProcess(
          alice.invocation(["friends", "invite"], terminal: .init(columns: 80, rows: 40))
        ) { process in
          #expect(try await process.wait() == .exited(0))
          // Dark on light, whatever the terminal's own colours.
          #expect(process.screen.style(of: "▄")?.background == "47")
          #expect(process.screen.style(of: "▄")?.foreground == "30")
          let path = try folder.write(bitmap(of: process.screen), to: "screen.pbm")
          let read = try await TestProcess.run(
            .init("zbarimg", ["--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", path]))
          return String(read.output.dropLast())
        }
      }
      #expect(link == "xmpp:\(alice.jid)?subscribe")
      #expect(try await bob.does("friends", "add", link) == ["Asked \(alice.jid) to be your friend."])
      #expect(try await alice.does("friends", "invite") == [link])
    }
  }

  /// The rows of the screen that hold half blocks, as a picture.
  private func bitmap(of screen: Screen) -> String {
    let lines = screen.lines.filter { $0.contains { "█▀▄".contains($0) } }
    let width = (lines.map(\.count).max() ?? 0) + 8
    var rows: [[Bool]] = []
    for line in lines {
      let cells = Array(line) + Array(repeating: " ", count: width - line.count)
      rows.append(cells.map { "█▀".contains($0) })
      rows.append(cells.map { "█▄".contains($0) })
    }
    let margin = Array(repeating: Array(repeating: false, count: width), count: 8)
    var text = "P1\n\(width * 4) \((rows.count + 16) * 4)\n"
    for row in margin + rows + margin {
      let line = row.map { String(repeating: $0 ? "1" : "0", count: 4) }.joined() + "\n"
      for _ in 0..<4 { text += line }
    }
    return text
  }
}
