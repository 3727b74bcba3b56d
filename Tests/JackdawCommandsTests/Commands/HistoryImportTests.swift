// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawStore
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("history import", .onLoop)
struct HistoryImportTests {
  private static func line(_ number: Int, _ body: String, id: String? = nil, from: String = "bob@example.org/x")
    -> String
  {
    let id = id.map { "\"\($0)\"" } ?? "null"
    let conversation = from.split(separator: "/").first ?? ""
    let time = Timestamp(milliseconds: 1_700_000_000_000 + Int64(number) * 60_000)
    return """
      {"event":"message","account":"alice@example.org","id":\(id),"from":"\(from)","to":"alice@example.org","type":"chat",      "body":"\(body)","delayed":"\(time)","carbon":null,"number":\(number),"conversation":"\(conversation)","outgoing":false,      "state":null}

      """
  }

  private func texts(_ rig: ApplicationRig) throws -> [String] {
    try rig.store.log.page(LogQuery(limit: 1_000), after: nil).messages.map(\.event.body)
  }

  @Test("adds what is missing, unread by nobody, and nothing the second time; no server is asked")
  func twice() async throws {
    try await TestDirectory.onLoop { folder in
      let file = try folder.write(
        Self.line(2, "two") + Self.line(1, "one", id: "a") + Self.line(3, "three", from: "eve@example.org/y"),
        to: "x.jsonl")
      let rig = try ApplicationRig()
      #expect(try await rig.run("history", "import", "--dry-run", file) == .success)
      #expect(try texts(rig).isEmpty)
      #expect(try await rig.run("history", "import", file) == .success)
      #expect(try await rig.run("history", "import", file) == .success)
      #expect(
        rig.output.lines == [
          "Would import 3 messages of 2 conversations.", "Imported 3 messages of 2 conversations.",
          "Imported nothing; 3 were there already.",
        ])
      #expect(try texts(rig) == ["one", "two", "three"])
      #expect(try rig.store.log.unread() == UnreadCount(messages: 0, conversations: 0))
      #expect(rig.fixture.connector.plans.isEmpty && rig.output.failures.isEmpty)
    }
  }

  @Test("goes on after lines that are wrong, names the first ten of them, and ends with 65")
  func wrongLines() async throws {
    try await TestDirectory.onLoop { folder in
      let wrong = String(repeating: "{\"event\":7}\n", count: 15)
      let file = try folder.write(Self.line(1, "one") + wrong + "\n" + Self.line(2, "two"), to: "x.jsonl")
      let rig = try ApplicationRig()
      #expect(try await rig.run("history", "import", file) == .badInput)
      #expect(rig.output.lines == ["Imported 2 messages of 1 conversation; 15 could not be read."])
      #expect(rig.output.failures.count == 11)
      #expect(rig.output.failures.first?.text == "\(file), line 2: The message has a 'event' that is not text.")
      #expect(rig.output.failures.last?.text == "5 more could not be read.")
    }
  }

  @Test("says what is wrong with a file before anything is imported")
  func refuses() async throws {
    try await TestDirectory.onLoop { folder in
      let good = try folder.write(Self.line(1, "one"), to: "x.jsonl")
      let text = try folder.write("a text\n", to: "text")
      for path in ["/nonexistent", "/dev/null", text, folder.path + "/empty"] {
        let rig = try ApplicationRig()
        #expect(try await rig.run("history", "import", good, path) == .badInput, "\(path)")
        #expect(try texts(rig).isEmpty && rig.output.rows.isEmpty)
      }
      let rig = try ApplicationRig()
      #expect(try await rig.run("history", "import", "--format", "gajim", good) == .badInput)
      #expect(try await rig.run("history", "import", "--format", "gajim", "-") == .usage)
      let logs = try folder.write("10:00:00 - me: Hi\n", to: "2024_01_01.log")
      #expect(try await rig.run("history", "import", logs) == .badInput)
    }
  }

  @Test("of a folder takes the logs within, in the order of their times, and leaves out what is not kept")
  func folder() async throws {
    try await TestDirectory.onLoop { folder in
      for (name, text) in [
        ("bob_at_example.org/2024_01_02.log", "10:00:00 - bob@example.org: second\n11:00:00 - me: fourth\n"),
        ("eve_at_example.org/2024_01_02.log", "10:30:00 - eve@example.org: third\n"),
        ("bob_at_example.org/2024_01_01.log", "10:00:00 - bob@example.org: first\n"),
        ("rooms/r_at_muc.example.org/2024_01_01.log", "10:00:00 - nick: all\n"),
        ("dave_at_example.org/2024_01_01.log", "10:00:00 - me: psst\n"), ("note.txt", "nothing"),
      ] {
        _ = try await TestProcess.run(
          .init(
            "mkdir",
            ["-p", folder.file("alice_at_example.org/" + name.split(separator: "/").dropLast().joined(separator: "/"))])
        )
        _ = try folder.write(text, to: "alice_at_example.org/" + name)
      }
      let rig = try ApplicationRig()
      try rig.store.log.keep(JID("dave@example.org"), false)
      #expect(try await rig.run("history", "import", folder.path) == .success)
      #expect(rig.output.lines == ["Imported 4 messages of 2 conversations; left out 1 of rooms, 1 others."])
      #expect(try texts(rig) == ["first", "second", "third", "fourth"])
    }
  }

  @Test("reads JSON Lines from stdin, and refuses what is none")
  func input() async throws {
    let lines = TypedLines(String(Self.line(1, "one").dropLast()))
    let rig = try ApplicationRig(lines)
    #expect(try await rig.run("history", "import", "-") == .success)
    #expect(try texts(rig) == ["one"])
    let wrong = try ApplicationRig(TypedLines("some text"))
    #expect(try await wrong.run("history", "import", "-") == .badInput)
    #expect(wrong.output.failures.map(\.text) == ["stdin is not a history that can be imported."])
  }
}
