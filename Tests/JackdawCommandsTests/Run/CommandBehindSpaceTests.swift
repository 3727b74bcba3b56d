// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("A command with a space before it", .onLoop)
struct CommandBehindSpaceTests {
  @Test(
    "is told from a message that begins with a slash behind a space",
    arguments: [
      (" /friends", "friends"), ("\t /friends list", "friends"), (" /q", "q"),
      (" /connect alice@example.org secret", "connect"), (" /acc password x", "acc"), ("/friends", nil),
      (" /etc/passwd", nil), (" /fr", nil), (" //friends", nil), (" /me waves", nil), ("see /friends", nil),
      (" / friends", nil), (" /friends\nis what I typed", nil), (" ", nil),
    ] as [(String, String?)])
  func isTold(_ text: String, _ name: String?) {
    #expect(Line.commandBehindSpace(text, of: .standard) == name)
  }

  @Test("is put back on the input line of the prompt and sent to nobody: secret hygiene")
  func isPutBack() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    let run = try await rig.start("chat", "bob@example.org")
    await rig.type(" /friends")
    #expect(!rig.prompt.type(" /connect alice@example.org secret"))
    await rig.fixture.clock.settle()
    #expect(rig.sentMessages.isEmpty)
    #expect(rig.prompt.returned == [" /friends", " /connect alice@example.org secret"])
    #expect(
      rig.output.failures.first?.text
        == "Not sent: there is a space before '/friends'. Remove it to run the command, or type '//friends' to send that as text."
    )
    await rig.type(" /etc/passwd", " /friends\nlists them", "/quit")
    #expect(rig.sentMessages == ["bob@example.org| /etc/passwd", "bob@example.org| /friends\nlists them"])
    #expect(run.value == .success)
  }

  @Test("has nothing sent that was entered before it was shown as refused: it may have been to pick somebody else")
  func typedAhead() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    let run = try await rig.start("chat", "bob@example.org")
    rig.output.holdsBack = true
    for text in [" /to carol@example.org", "SECRET"] { rig.prompt.type(text) }
    await rig.fixture.clock.settle()
    #expect(rig.sentMessages.isEmpty && rig.prompt.returned == [" /to carol@example.org", "SECRET"])
    rig.output.holdsBack = false
    await rig.type("for bob", "/quit")
    #expect(rig.sentMessages == ["bob@example.org|for bob"])
    #expect(run.value == .success)
  }

  @Test("is a message in a script")
  func inScript() async throws {
    let rig = try ApplicationRig(TypedLines("/to bob@example.org\n /friends\n"))
    #expect(try await rig.start().value == .success)
    #expect(rig.sentMessages == ["bob@example.org| /friends"])
  }
}
