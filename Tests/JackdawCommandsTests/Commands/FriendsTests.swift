// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("friends, status and ping", .onLoop)
struct FriendsTests {
  @Test("friends list shows everyone, or a group, or those who are online")
  func list() async throws {
    for (words, names) in [
      (["friends"], ["Bob", "carol"]), (["friends", "--group", "Work"], ["Bob"]), (["friends", "--online"], []),
    ] {
      let rig = try ApplicationRig()
      rig.setRoster([("carol@example.org", nil, []), ("bob@example.org", "Bob", ["Work", "Other"])])
      let application = rig.application
      let request = try CommandTable.standard.parse(shell: words)
      #expect(await application.run(request) == .success)
      #expect(rig.output.rows(FriendRow.self).map { $0.cells.first?.text } == names)
      // Presences come only to those who are online; nobody else is to see us for a list.
      let presences = rig.fixture.server.received.filter { $0.name == "presence" }
      #expect(presences.count == (words.contains("--online") ? 1 : 0))
    }
  }

  @Test("friends list says why nothing is known of somebody: blocked, alone or with their server, or no answer yet")
  func whyUnknown() async throws {
    let items = [
      ("bob@example.org", "both", ""), ("carol@example.org", "none", " ask='subscribe'"),
      ("eve@spam.example", "both", ""),
      ("mallory@example.org", "none", " ask='subscribe'"),
    ]
    let query = items.map { "<item jid='\($0.0)' subscription='\($0.1)'\($0.2)/>" }.joined()
    let rig = try ApplicationRig()
    rig.fixture.answer = { element in
      guard let iq = try? IQ(element), iq.kind == .get else { return SessionFixture.manners(element) }
      if iq.payload?.matches("query", Namespace.roster) == true {
        return [iq.result(try? Element(parsing: "<query xmlns='\(Namespace.roster)'>\(query)</query>")).element]
      }
      guard iq.payload?.name == "blocklist" else { return SessionFixture.manners(element) }
      let listed = "<item jid='mallory@example.org'/><item jid='spam.example'/>"
      let list = try? Element(parsing: "<blocklist xmlns='urn:xmpp:blocking'>\(listed)</blocklist>")
      return [iq.result(list).element]
    }
    #expect(try await rig.run("friends") == .success)
    #expect(
      rig.output.lines == [
        "bob|bob@example.org|friend|unknown", "carol|carol@example.org|asked|no answer yet",
        "eve|eve@spam.example|friend|blocked", "mallory|mallory@example.org|asked|blocked",
      ])
    #expect(rig.output.rows(FriendRow.self).map(\.isBlocked) == [false, false, true, true])
  }

  @Test("friends show says that somebody is blocked, and calls nobody offline of whom that is not known")
  func showsBlocked() async throws {
    let rig = try ApplicationRig()
    rig.setRoster([("bob@example.org", nil, [])])
    let answer = rig.fixture.answer
    rig.fixture.answer = { element in
      guard let iq = try? IQ(element), iq.payload?.name == "blocklist" else { return answer(element) }
      let item = Element("item", Blocking.namespace, ["jid": "bob@example.org"])
      return [iq.result(Element("blocklist", Blocking.namespace, [item])).element]
    }
    #expect(try await rig.run("friends", "show", "bob@example.org") == .success)
    let row = try #require(rig.output.rows(FriendDetailRow.self).first)
    #expect(row.isBlocked == true && row.presence == nil)
    #expect(row.lines.contains { $0.map(\.text) == ["presence", "blocked"] })
  }

  @Test("friends import says of whom that they have not answered")
  func unanswered() throws {
    let row = FriendsImportRow(line: 2, jid: try JID("bob@example.org"), outcome: .unanswered)
    #expect(
      row.cells.map(\.text) == ["line 2: bob@example.org is already on your list, and has not answered your request."])
  }

  @Test("friends import that is interrupted says so once, and not of each contact that is left")
  func importInterrupted() async throws {
    let rig = try ApplicationRig(TypedLines("jid\nbob@example.org\ncarol@example.org\nnot an address\n"))
    rig.setRoster([])
    let answer = rig.fixture.answer
    // The server says nothing to what would change the list.
    rig.fixture.answer = { element in
      (try? IQ(element)).map { $0.kind == .set && $0.payload?.name == "query" } == true ? [] : answer(element)
    }
    let run = try await rig.start("friends", "import", "-")
    #expect(!run.hasEnded)
    rig.application.interrupted(by: 2)
    await rig.fixture.clock.settle()
    #expect(run.value == .interrupted)
    #expect(rig.output.failures.map(\.condition) == ["bad-input", "interrupted"])
  }

  @Test("friends list is shown where the server blocks nobody, or does not say whom")
  func withoutBlockList() async throws {
    for (condition, known) in [("service-unavailable", false), ("internal-server-error", nil)] as [(String, Bool?)] {
      let rig = try ApplicationRig()
      rig.setRoster([("bob@example.org", "Bob", [])])
      let answer = rig.fixture.answer
      rig.fixture.answer = { element in
        guard let iq = try? IQ(element), iq.payload?.name == "blocklist" else { return answer(element) }
        return [iq.failure(StanzaError(kind: .cancel, condition: condition)).element]
      }
      #expect(try await rig.run("friends") == .success)
      #expect(rig.output.rows(FriendRow.self).map(\.isBlocked) == [known])
    }
  }

  @Test(
    "friends list, export and show wait for the changes that follow an empty answer",
    arguments: [["friends"], ["friends", "export"], ["friends", "show", "bob@example.org"]])
  func changesAfterAnEmptyAnswer(_ words: [String]) async throws {
    let rig = try ApplicationRig()
    rig.storeRoster([("carol@example.org", "Carol")])
    rig.fixture.script.moreFeatures = "<ver xmlns='urn:xmpp:features:rosterver'/>"
    rig.fixture.answer = { element in
      guard let iq = try? IQ(element), iq.kind == .get else { return [] }
      if iq.payload?.matches("query", Namespace.roster) == true { return [iq.result().element] }
      guard element.child("ping", Ping.namespace) != nil else { return SessionFixture.manners(element) }
      let push = """
        <iq xmlns='jabber:client' type='set' id='p'><query xmlns='jabber:iq:roster' ver='2'>\
        <item jid='bob@example.org' name='Bob' subscription='both'/></query></iq>
        """
      return [try? Element(parsing: push)].compactMap(\.self) + SessionFixture.manners(element)
    }
    #expect(await rig.application.run(try CommandTable.standard.parse(shell: words)) == .success)
    let shown = rig.output.lines.joined() + rig.output.documents.map { String(decoding: $0, as: UTF8.self) }.joined()
    #expect(shown.contains("bob@example.org"))
  }

  /// The server answers a ping with what it has to tell of bob before it.
  private func tells(_ presence: String, in rig: ApplicationRig) {
    let items = [("bob@example.org", "both"), ("carol@example.org", "both"), ("dave@example.org", "from")]
    let query = items.map { "<item jid='\($0.0)' subscription='\($0.1)'/>" }.joined()
    rig.fixture.answer = { element in
      guard let iq = try? IQ(element), iq.kind == .get else { return SessionFixture.manners(element) }
      if iq.payload?.matches("query", Namespace.roster) == true {
        let query = try? Element(parsing: "<query xmlns='\(Namespace.roster)'>\(query)</query>")
        return [iq.result(query).element]
      }
      guard element.child("ping", Ping.namespace) != nil, let told = try? Element(parsing: presence) else {
        return SessionFixture.manners(element)
      }
      return [told] + SessionFixture.manners(element)
    }
  }

  @Test("friends list in a script waits until the server has told who is there, and calls unknown what it cannot tell")
  func presences() async throws {
    let rig = try ApplicationRig(TypedLines("/friends"))
    tells("<presence xmlns='jabber:client' from='bob@example.org/x'><show>dnd</show></presence>", in: rig)
    #expect(try await rig.run() == .success)
    #expect(rig.output.rows(FriendRow.self).map(\.presence) == ["dnd", "unavailable", nil])
    #expect(
      rig.output.lines == [
        "bob|bob@example.org|friend|busy", "carol|carol@example.org|friend|offline",
        "dave|dave@example.org|they see you|unknown",
      ])
  }

  @Test(
    "friends list calls presence unknown when the server does not tell it in time, and in a command that nobody sees")
  func unknownPresence() async throws {
    let silent = try ApplicationRig(TypedLines("/friends"))
    silent.setRoster([("bob@example.org", "Bob", [])])
    let polite = silent.fixture.answer
    silent.fixture.answer = { $0.child("ping", Ping.namespace) != nil ? [] : polite($0) }
    let run = try await silent.start()
    #expect(!run.hasEnded)
    await silent.fixture.clock.elapse(.seconds(30))
    #expect(run.value == .success)
    #expect(silent.output.lines == ["Bob|bob@example.org|friend|unknown"])

    let single = try ApplicationRig()
    single.setRoster([("bob@example.org", "Bob", [])])
    #expect(try await single.run("friends") == .success)
    #expect(single.output.lines == ["Bob|bob@example.org|friend|unknown"])
    #expect(single.output.rows(FriendRow.self).map(\.presence) == [nil])
  }

  @Test("friends requests shows who asks")
  func requests() async throws {
    let rig = try ApplicationRig()
    rig.fixture.answer = { element in
      guard element.name == "presence",
        let request = try? Element(
          parsing:
            "<presence xmlns='jabber:client' type='subscribe' from='eve@example.org'><status>let me in</status></presence>"
        )
      else { return SessionFixture.manners(element) }
      return [request]
    }
    #expect(try await rig.run("friends", "requests") == .success)
    #expect(rig.output.lines == ["eve@example.org||let me in"])
  }

  @Test(
    "friends add refuses our own address and what is no address, before anything is sent",
    arguments: [
      "alice@example.org", "ALICE@example.org/phone", "@@", "", "xmpp:", "xmpp:alice@example.org?subscribe",
      "xmpp:room@rooms.example.org?join", "xmpp:bob@example.org?remove", "xmpp://eve@example.org/bob@example.org",
      // CVE-2021-42574 and look-alikes: whoever wrote the link chose these.
      "xmpp:bob@example.org?roster;name=B%C2%9Bob", "xmpp:bob@example.org?roster;name=B%0Aob",
      "xmpp:bob@example.org?roster;group=a%E2%80%AEb", "xmpp:bob@example.org?roster;name=carol@example.org",
      "xmpp:b%D0%BEb@example.org?roster;name=Bob",
    ])
  func addRefuses(_ word: String) async throws {
    let rig = try ApplicationRig()
    #expect(try await rig.run("friends", "add", word) == .badInput)
    #expect(rig.fixture.connector.plans.isEmpty)
  }

  @Test("friends add takes the name of a friend, and no other")
  func addName() async throws {
    let rig = try ApplicationRig()
    rig.setRoster([("bob@example.org", "Bob B.", []), ("carol@example.org", nil, [])])
    #expect(try await rig.run("friends", "add", "bob b.", "carol") == .success)
    #expect(
      rig.output.lines == ["Bob B. is already your friend.", "carol@example.org is already your friend."])
    let nobody = try ApplicationRig()
    #expect(try await nobody.run("friends", "add", "fred") == .badInput)
    #expect(nobody.output.failures.first?.text.contains("fred@example.org") == true)
    // Most likely they are where the user is.
    #expect {
      try Newcomer.friend("fred", among: [], at: "chat.example")
    } throws: {
      ($0 as? CommandFailure)?.text.hasSuffix("Did you mean fred@chat.example?") == true
    }
    // What no name before the `@` could be is not offered as one.
    let odd = try ApplicationRig()
    #expect(try await odd.run("friends", "add", "a b@x.org") == .badInput)
    #expect(odd.output.failures.map(\.text) == ["'a b@x.org' is neither an address nor a friend's name."])
  }

  @Test("friends group names the groups that the entry is in then, and none without a name")
  func group() async throws {
    let rig = try ApplicationRig()
    rig.setRoster([("bob@example.org", "Bob", ["Work", "Other"])])
    #expect(try await rig.run("friends", "group", "Bob", "Work", "", "Other", "Work", " ") == .success)
    #expect(rig.output.lines == ["Bob is now in Work, Other."])
  }

  @Test("friends group takes nobody out of all groups for a name that is empty", arguments: ["", " "])
  func emptyGroup(_ name: String) async throws {
    let rig = try ApplicationRig()
    rig.setRoster([("bob@example.org", "Bob", ["Work"])])
    #expect(try await rig.run("friends", "group", "Bob", name) == .usage)
    #expect(
      rig.output.failures.map(\.text) == [
        "The name of the group is empty. To take somebody out of all groups, name none."
      ])
    #expect(!rig.fixture.server.received.contains { (try? IQ($0))?.kind == .set })
  }

  @Test("only those who are named are answered within one limit of time", arguments: ["--all", "eve@example.org"])
  func limits(_ word: String) throws {
    #expect(try FriendsRejectCommand.parse([word]).isLimited == (word != "--all"))
    #expect(try FriendsAcceptCommand.parse([word]).isLimited == (word != "--all"))
  }

  @Test("friends invite needs no server")
  func invite() async throws {
    let rig = try ApplicationRig()
    #expect(try await rig.run("friends", "invite") == .success)
    #expect(rig.output.lines == ["xmpp:alice@example.org?subscribe"])
    #expect(rig.output.rows.first?.row.code == ScannedText("xmpp:alice@example.org?subscribe", isForced: false))
    #expect(rig.fixture.connector.plans.isEmpty)
  }

  @Test("friends export writes a document, or with --json events")
  func export() async throws {
    let rig = try ApplicationRig()
    rig.setRoster([("bob@example.org", "Bob", ["Work"])])
    #expect(try await rig.run("friends", "export") == .success)
    let line = #"{"jid":"bob@example.org","name":"Bob","subscription":"both","ask":false,"groups":["Work"]}"# + "\n"
    #expect(rig.output.documents == [Array(line.utf8)])
    let json = try ApplicationRig(words: ["--json"])
    json.setRoster([("bob@example.org", "Bob", ["Work"])])
    #expect(try await json.run("friends", "export") == .success)
    #expect(json.output.documents.isEmpty && json.output.rows(FriendRow.self).count == 1)
    let both = try ApplicationRig(words: ["--json"])
    #expect(try await both.run("friends", "export", "--format", "csv") == .usage)
    for path in ["/nonexistent/friends.csv", "/dev/null"] {
      let wrong = try ApplicationRig()
      #expect(try await wrong.run("friends", "export", path) == .inputOutput)
      #expect(wrong.fixture.connector.plans.isEmpty)
    }
  }

  @Test("friends import says what is wrong with a file before anything is sent")
  func importRefuses() async throws {
    for path in ["/nonexistent/friends.csv", "/dev/null", "/"] {
      let rig = try ApplicationRig()
      #expect(try await rig.run("friends", "import", path) == .badInput)
      #expect(rig.fixture.connector.plans.isEmpty)
    }
  }

  @Test(
    "what there is nobody for is no such contact",
    arguments: [
      ["friends", "remove", "eve@example.org"], ["friends", "accept", "eve@example.org"],
      ["friends", "reject", "eve@example.org"], ["friends", "cancel", "eve@example.org"],
      ["friends", "rename", "eve@example.org", "Eve"], ["friends", "unsubscribe", "eve@example.org"], ["ping", "eve"],
    ])
  func nobody(_ words: [String]) async throws {
    let rig = try ApplicationRig()
    let application = rig.application
    #expect(await application.run(try CommandTable.standard.parse(shell: words)) == .noUser)
    #expect(rig.output.failures.count == 1)
  }

  @Test("friends approve needs a server that can: exit 69")
  func approve() async throws {
    let rig = try ApplicationRig()
    #expect(try await rig.run("friends", "approve", "eve@example.org") == .unavailable)
  }

  @Test("friends accept --all and reject --all of nobody is done, and says that nobody has asked")
  func allOfNobody() async throws {
    for word in ["accept", "reject"] {
      let rig = try ApplicationRig()
      #expect(try await rig.run("friends", word, "--all") == .success)
      #expect(rig.output.rows.isEmpty && rig.output.notices == ["Nobody is waiting for your answer."])
    }
  }

  @Test("ping measures the way to the server by the loop's clock")
  func ping() async throws {
    let rig = try ApplicationRig()
    #expect(try await rig.run("ping") == .success)
    #expect(rig.output.lines == ["example.org|0.0 ms"])
  }
}
