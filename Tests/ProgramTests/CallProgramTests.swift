// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Calls to an account with several devices, one of which takes them (XEP-0353), on real servers.
@Suite("A call that another device answers") struct CallProgramTests {
  private static func step(_ name: String, _ id: String, to jid: String) -> String {
    let reason = name == "reject" ? "<reason xmlns='urn:xmpp:jingle:1'><busy/></reason>" : ""
    return "<message type='chat' to='\(jid)'><\(name) xmlns='urn:xmpp:jingle-message:0' id='\(id)'>\(reason)</\(name)>"
      + "<store xmlns='urn:xmpp:hints'/></message>"
  }

  private func unread(_ person: Person) async throws -> String {
    try await person.does("status", "--unread").first ?? ""
  }

  @Test("is not unread on one that is online", arguments: TestServer.Kind.allCases, ["proceed", "reject"])
  func online(kind: TestServer.Kind, answer: String) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await TestDirectory.with { home in
        let phone = Person(server: alice.server, account: alice.account, home: home)
        try await alice.listening("--json") { listening in
          try await bob.sees(alice)
          for id in ["c1", "c2"] { try await bob.does("xml", Self.step("propose", id, to: alice.jid)) }
          #expect(try await listening.line(with: [#""kind":"call""#, #""id":"c2""#]) != nil)
          #expect(try await unread(alice) == "2 unread messages in 1 conversation")
          try await phone.does("xml", Self.step(answer, "c1", to: bob.jid))
          try await eventually { try await unread(alice) == "1 unread message in 1 conversation" }
        }
      }
    }
  }

  @Test("is not unread on one that was away, and one that nobody answered is", arguments: TestServer.Kind.allCases)
  func away(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await TestDirectory.with { home in
        let phone = Person(server: alice.server, account: alice.account, home: home)
        // Where its archive ends is known: what comes from here on is news.
        try await bob.does("send", alice.jid, "before")
        try await alice.does("listen", "--count", "1")
        try await alice.atThePrompt("chat", bob.jid) { prompt in
          try await prompt.expectScreen(showing: "online")
          prompt.send("/quit" + Key.enter)
          _ = try await prompt.wait()
        }
        #expect(try await unread(alice) == "No unread messages.")
        for id in ["c1", "c2"] { try await bob.does("xml", Self.step("propose", id, to: alice.jid)) }
        try await phone.does("xml", Self.step("proceed", "c1", to: bob.jid))
        try await bob.does("xml", Self.step("retract", "c2", to: alice.jid))
        try await alice.listening("--json") { listening in
          for id in ["c1", "c2"] {
            #expect(try await listening.line(with: [#""kind":"call""#, #""id":"\#(id)""#]) != nil)
          }
          try await eventually { try await unread(alice) == "1 unread message in 1 conversation" }
        }
      }
    }
  }
}
