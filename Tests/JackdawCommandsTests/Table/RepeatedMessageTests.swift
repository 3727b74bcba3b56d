// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawCommands

@Suite("Messages in line after line")
struct RepeatedMessageTests {
  /// What a line comes to, in all that can differ.
  private static func meaning(of line: String, after message: inout RepeatedMessage) -> String {
    do throws(CommandFailure) {
      let words = try ShellWords.split(line)
      switch try CommandTable.standard.parse(line: words, after: &message) {
      case .text(let text): return text
      case .command(let command, let name):
        guard let send = command as? SendCommand else { return "\(name): \(command)" }
        return """
          \(name) to \(send.recipient) and \(send.also): \(send.text), \(send.wait), lines \(send.lines), \(send.subject ?? "-"), \
          \(send.replyTo ?? "-"), \(send.correct ?? "-"), \(send.shared.timeout ?? "-")
          """
      }
    } catch {
      return error.text
    }
  }

  @Test("come to what each comes to by itself, whatever stood before it")
  func alike() {
    let lines = [
      "send bob@example.org hello", "send bob@example.org hello", "send carol 'two words' and --wait sent",
      "send --wait sent bob one", "send --wait sent bob -- two", "send --wait=sent bob two",
      "send --wait sent bob three",
      "send bob --wait sent four", "send bob --wait sent five", "send bob carol -- six", "send bob carol -- seven",
      "send bob", "send", "send --subject bob hi", "send --subject 'to bob' bob hi", "send --subject 'to bob' carol ho",
      "send --lines bob hello", "send --lines bob again", "send --reply-to 1 --correct 2 bob x", "msg bob hello",
      "m bob hi",
      "send --nonsense bob x", "send bob --nonsense", "send bob -- ''", "send '' x", "send --timeout 5 bob y",
      "send --timeout 5 carol z", "send --timeout x bob y", "send --help bob x", "send -h", "send --help-all bob",
      "status away",
      "send xmpp:bob@example.org hi", "send --json bob hi", "rooms say room hello", "send --also dave bob hi",
      "send --also dave carol ho",
    ]
    let alone = lines.map { line in
      var message = RepeatedMessage()
      return Self.meaning(of: line, after: &message)
    }
    for order in [Array(lines.indices), lines.indices.reversed()] {
      var message = RepeatedMessage()
      for index in order { #expect(Self.meaning(of: lines[index], after: &message) == alone[index], "\(lines[index])") }
    }
  }

  @Test("are parsed once, where only the person and the text are others")
  func once() throws {
    var message = RepeatedMessage()
    _ = Self.meaning(of: "send --wait sent bob one", after: &message)
    let words = ["send", "--wait", "sent", "carol", "two", "--three"]
    let prepared = try WordPreparation(words, in: .lines, of: .standard)
    #expect(message.command(of: prepared)?.name == "send")
    let other = try WordPreparation(["send", "carol", "two"], in: .lines, of: .standard)
    #expect(message.command(of: other) == nil)
  }
}
