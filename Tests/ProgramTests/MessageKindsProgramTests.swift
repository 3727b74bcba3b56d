// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// Docs/MESSAGES.md: every kind of message is sent by one account over a real server, and what the other's program shows of it is the page.
@Suite("Kinds of messages") struct MessageKindsProgramTests {
  private static let page = "Docs/MESSAGES.md"

  @Test("are shown as Docs/MESSAGES.md says, and found again")
  func page() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      let alice = Self.german(alice)
      let printed = try await Self.received(by: alice, from: bob, "--json")
      let objects = MessageKind.all.indices.map { number in
        printed.filter { $0.contains(#""event":"message""#) && $0.contains(#""id":"k\#(number + 1)","#) }
      }
      let lines = Self.lines(try await Self.received(by: alice, from: bob), bob)
      try RecordedFile.expect(Self.table(lines, objects.map { $0.map { Self.short($0, alice, bob) } }), at: Self.page)
      let history = try await alice.does("history", "--export", "json")
      for line in objects.joined() {
        let id = try #require(line.firstMatch(of: /"id":"(k\d+)"/)?.1)
        #expect(history.contains { $0.contains(#""id":"\#(id)","#) }, "\(id)")
      }
    }
  }

  /// What nobody has to read: what is silent, what is said of an earlier message, and what is not known.
  private static let uncounted: Set<String> = [
    "empty text", "keys of OMEMO alone (XEP-0384)", "correction (XEP-0308)", "reaction (XEP-0444)",
    "reaction taken back (XEP-0444)", "retraction (XEP-0424)", "call that is over (XEP-0353)", "unknown alone",
    "receipt (XEP-0184)", "marker (XEP-0333)", "typing (XEP-0085)", "name (XEP-0172)",
  ]

  @Test("count as unread where somebody has something to say")
  func unread() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      _ = try await Self.received(by: alice, from: bob)
      #expect(Self.uncounted.isSubset(of: MessageKind.all.map(\.name)))
      let counted = MessageKind.all.count { !Self.uncounted.contains($0.name) }
      // With the text behind each, and the one before them.
      let all = counted + MessageKind.all.count + 1
      #expect(try await alice.does("status", "--unread") == ["\(all) unread messages in 1 conversation"])
    }
  }

  @Test("are shown alike on ejabberd")
  func ejabberd() async throws {
    try await withPair(on: .ejabberd, friends: true) { alice, bob in
      let lines = Self.lines(try await Self.received(by: Self.german(alice), from: bob), bob)
      let page = try #require(SourceTree.text(Self.page)).split(separator: "\n")
      for (number, shown) in lines.enumerated() {
        let row = try #require(page.first { $0.hasPrefix("| \(number + 1) |") })
        #expect(row.contains(" | \(Self.cell(shown)) | "), "\(row)")
      }
    }
  }

  /// One device of Alice's gets them, another a copy of each; a third is away and comes back, and a fourth is new.
  @Test("are shown alike as a copy, late, and out of the archive", arguments: TestServer.Kind.allCases)
  func elsewhere(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await TestDirectory.with { home in
        func device(_ name: String) throws -> Person {
          Self.german(Person(server: alice.server, account: alice.account, home: try home.folder(name)))
        }
        let (one, copied, away, new) = try (device("one"), device("copied"), device("away"), device("new"))
        try await away.does("history", "sync")
        let copies = try await one.listening("--json", "--jid", "\(alice.jid)/one") { listening in
          try await listening.expect(#""state":"online""#)
          return try await Self.received(by: copied, from: bob, to: "\(alice.jid)/one")
        }
        let late = try await away.listening { listening in
          let text = try await listening.expect("end of \(MessageKind.all.count)")
          return text.split(separator: "\n").map(String.init).drop { !$0.contains("beginning") }.dropFirst()
        }
        try await new.does("history", "sync")
        let kept = try await new.does("history", bob.jid, "--export", "json")
        let rows = try #require(SourceTree.text(Self.page)).split(separator: "\n")
        let page = MessageKind.all.indices.map { number in rows.first { $0.hasPrefix("| \(number + 1) |") } ?? "" }
        for (number, (copy, late)) in zip(Self.lines(copies, bob), Self.lines(Array(late), bob)).enumerated() {
          let message = MessageKind.all[number]
          let row = try #require(rows.first { $0.hasPrefix("| \(number + 1) |") })
          // What no copy is made of may come out of the archive meanwhile, which is read a second time soon after a log-in.
          let copied = copy.filter { line in
            row.contains(line) || !zip(MessageKind.all, page).contains { !$0.isCopied && $1.contains(line) }
          }
          #expect(message.isCopied ? row.contains(" | \(Self.cell(copied)) | ") : true, "copy: \(copy), \(row)")
          guard message.isKept else { continue }
          #expect(row.contains(" | \(Self.cell(late)) | "), "late: \(late), \(row)")
          let object = try #require(kept.first { $0.contains(#""id":"k\#(number + 1)","#) }, "\(row)")
          // What is known of it in the log follows.
          let end = try #require(object.firstRange(of: #","number":"#)?.lowerBound)
          let known = String(object[..<end]).replacing(/"delayed":"[^"]*",/, with: "") + "}"
          #expect(row.hasSuffix(" | \(Self.cell([Self.short(known, alice, bob)])) |"), "\(object), \(row)")
        }
      }
    }
  }

  private static func german(_ person: Person) -> Person {
    var person = person
    person.environment["LC_ALL"] = "de_DE.UTF-8"
    return person
  }

  /// All kinds are sent, a plain message behind each.
  /// - Returns: the lines of whoever listens.
  /// - Parameter address: whom they are sent to; nil: whoever listens, at all devices.
  private static func received(
    by alice: Person, from bob: Person, to address: String? = nil, _ options: String...
  ) async throws -> [String] {
    var invocation = alice.invocation(["listen"] + options)
    invocation.environment["COLUMNS"] = nil
    return try await TestProcess.withProcess(invocation) { listening in
      try await bob.sees(alice)
      // What comes from here on is not read from the archive.
      let address = address ?? alice.jid
      try await bob.does("send", address, "beginning")
      try await listening.expect("beginning")
      let stanzas = MessageKind.all.enumerated().map { number, kind in
        "<message type='\(kind.type)' id='k\(number + 1)' to='\(address)'>\(kind.content)</message>"
          .replacing("id='c1'", with: "id='call\(options.count)'")
          + "<message type='chat' to='\(address)'><body>end of \(number + 1)</body></message>"
      }
      try await bob.does("xml", input: .text(stanzas.joined(separator: "\n")))
      let text = try await listening.expect("end of \(MessageKind.all.count)")
      // Killed, it would leave the last ones to the next listener, which tells what it does not know once a minute alone.
      listening.signal(SIGTERM)
      try await listening.wait()
      return text.split(separator: "\n").map(String.init)
    }
  }

  /// The lines of each kind, without time and with a short name.
  private static func lines(_ printed: [String], _ bob: Person) -> [[String]] {
    var kinds: [[String]] = []
    var lines: [String] = []
    for line in printed {
      if line.contains(": end of ") {
        kinds.append(lines)
        lines = []
      } else if !line.hasSuffix("is offline"), !line.hasSuffix("is online") {
        let text = line.hasPrefix(" ") ? Substring(line).drop { $0 == " " } : line.drop { $0 != " " }.dropFirst()
        lines.append(String(text).replacing(bob.jid, with: "bob"))
      }
    }
    return kinds
  }

  /// What a line of JSON says that a plain message's does not.
  private static func short(_ line: String, _ alice: Person, _ bob: Person) -> String {
    guard let start = line.firstRange(of: #""type":"#)?.lowerBound else { return line }
    return String(line[start...].dropLast()).replacing(/"[a-z_]+":(null|false|\[\]),?/, with: "")
      .replacing(/,+(?=[}\]]|$)/, with: "").replacing(#""type":"chat","#, with: "").replacing(
        bob.jid, with: "bob@example.org"
      )
      .replacing(alice.jid, with: "alice@example.org")
  }

  // MARK: The page

  private static func table(_ lines: [[String]], _ objects: [[String]]) -> String {
    var page = """
      # Messages

      What is shown of each kind of message that clients of today send, as text and in JSON. Written by
      [MessageKindsProgramTests.swift](../Tests/ProgramTests/MessageKindsProgramTests.swift), which sends them over Prosody from one account
      to another; on ejabberd the text is compared too, and on both servers what a device shows that gets a copy of them, one that was away
      while they came, and a new one that reads the archive. The locale is German, the reader listens at a pipe, and `⏎` is the end of a line.
      Of JSON stands here what is not `null`, `false`, empty or always the same ([JSON.md](JSON.md)). `–` is silence: a signal for
      programs, or nothing that was said.

      | | message | text | JSON |
      |---|---|---|---|

      """
    for (number, kind) in MessageKind.all.enumerated() {
      let shown = number < lines.count ? lines[number] : []
      page += "| \(number + 1) | \(kind.name) | \(cell(shown)) | \(cell(objects[number])) |\n"
    }
    return page + OtherClientsPage.text
  }

  /// Lines as code within a table, whatever stands in them.
  static func cell(_ lines: [String]) -> String {
    guard !lines.isEmpty else { return "–" }
    let text = lines.joined(separator: " ⏎ ").replacing("|", with: #"\|"#)
    let longest = text.split(omittingEmptySubsequences: true) { $0 != "`" }.map(\.count).max() ?? 0
    let fence = String(repeating: "`", count: longest + 1)
    let space = longest > 0 ? " " : ""
    return fence + space + text + space + fence
  }
}
