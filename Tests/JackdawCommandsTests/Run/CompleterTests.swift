// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("Tab", .onLoop)
struct CompleterTests {
  nonisolated static let rows: [(line: String, offered: [String])] = [
    ("/fr", ["/friends"]),
    ("/s", ["/send", "/sleep", "/status"]),
    ("/S", ["/send", "/sleep", "/status"]),
    ("/z", []),
    ("", ["Bob", "Carol", "bob@example.org", "carol@example.org", "twin1@example.org", "twin2@example.org"]),
    ("hello bo", ["Bob", "bob@example.org"]),
    ("//x bo", ["Bob", "bob@example.org"]),
    ("/nonsense bo", []),
    (
      "/friends ",
      [
        "accept", "add", "approve", "cancel", "group", "list", "reject", "remove", "rename", "requests", "revoke",
        "show",
        "unsubscribe",
      ]
    ),
    ("/friends re", ["reject", "remove", "rename", "requests", "revoke"]),
    ("/friends nonsense ", []),
    ("/friends remove c", ["Carol", "carol@example.org"]),
    ("/friends remove carol@example.org b", ["Bob", "bob@example.org"]),
    ("/friends accept ", ["eve@example.org"]),
    ("/friends add e", ["eve@example.org"]),
    ("/friends group bob@example.org ", ["Friends", "Work"]),
    ("/friends group bob@example.org Work F", ["Friends"]),
    ("/friends list --group ", ["Friends", "Work"]),
    ("/friends list --", ["--group", "--help", "--online", "--timeout"]),
    ("/friends list --o", ["--online"]),
    ("/friends requests ", []),
    ("/send b", ["Bob", "bob@example.org"]),
    ("/send --wait ", ["sent", "server"]),
    ("/send --wait sent c", ["Carol", "carol@example.org"]),
    ("/send -- --", []),
    ("/to C", ["Carol", "carol@example.org"]),
    ("/status ", ["available", "away", "chat", "dnd", "offline", "xa"]),
    ("/status away b", ["Bob", "bob@example.org"]),
    ("/wait mes", ["message", "message-state"]),
    ("/wait message --from b", ["Bob", "bob@example.org"]),
    ("/wait message --match b", []),
    ("/help fr", ["friends"]),
    ("/sleep ", []),
    ("/quit ", []),
    ("/account ", ["list", "password", "unregister"]),
    ("/account password --", ["--help", "--new-password-file", "--timeout"]),
    ("/account unregister --", ["--help", "--timeout", "--yes"]),
    ("/b", ["/block", "/blocked"]),
    ("/block b", ["Bob", "bob@example.org"]),
    ("/blocked ", []),
    ("/blocked --", ["--help", "--timeout"]),
    ("/info C", ["Carol", "carol@example.org"]),
    ("/info bob@example.org c", ["Carol", "carol@example.org"]),
    ("/pi", ["/ping"]),
    ("/ping b", ["Bob", "bob@example.org"]),
    ("/unblock --", ["--all", "--help", "--timeout"]),
    ("/vcard s", ["set", "show"]),
    ("/vcard b", ["Bob", "bob@example.org"]),
    ("/vcard show b", ["Bob", "bob@example.org"]),
    ("/vcard set em", ["email", "email.home", "email.work"]),
    ("/vcard set email.home b", []),
    ("/x", ["/xml"]),
    ("/xml --", ["--help", "--timeout"]),
  ]

  @Test("offers what the command's own declaration says")
  func offers() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    rig.setRoster([
      ("bob@example.org", "Bob", ["Work", "Friends"]), ("carol@example.org", "Carol", ["Work"]),
      ("twin1@example.org", "Twin", []), ("twin2@example.org", "Twin", []),
    ])
    let run = try await rig.start()
    await rig.fixture.receive("<presence type='subscribe' from='eve@example.org'/>")
    for (line, offered) in Self.rows {
      var words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      let partial = words.removeLast()
      let found = rig.prompt.delegate?.promptCompletions(words: words.filter { !$0.isEmpty }, partial: partial)
      #expect(found?.map(\.text) == offered, "\(line)")
    }
    rig.prompt.type("/quit")
    await rig.fixture.clock.settle()
    #expect(run.hasEnded)
  }

  @Test("offers who is blocked to /unblock, once that is known")
  func offersWhoIsBlocked() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    rig.fixture.answer = { element in
      guard let iq = try? IQ(element), iq.kind == .get, iq.payload?.matches("blocklist", Blocking.namespace) == true,
        let list = try? Element(
          parsing:
            "<blocklist xmlns='\(Blocking.namespace)'><item jid='eve@example.net'/><item jid='spam.example'/></blocklist>"
        )
      else { return SessionFixture.manners(element) }
      return [iq.result(list).element]
    }
    _ = try await rig.start()
    rig.prompt.type("/blocked")
    await rig.fixture.clock.settle()
    let found = rig.prompt.delegate?.promptCompletions(words: ["/unblock"], partial: "")
    #expect(found?.map(\.text) == ["eve@example.net", "spam.example"])
    rig.prompt.type("/quit")
    await rig.fixture.clock.settle()
  }

  @Test("offers no friends while there is no session")
  func withoutASession() throws {
    let rig = try ApplicationRig()
    let completer = Completer(application: rig.application)
    #expect(completer.completions(words: ["/to"], partial: "").isEmpty)
    #expect(completer.completions(words: [], partial: "/to").map(\.text) == ["/to"])
  }
}
