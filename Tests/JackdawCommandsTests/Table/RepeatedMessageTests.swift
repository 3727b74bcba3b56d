// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import ArgumentParser
import Testing

@testable import JackdawCommands

@Suite("Messages in line after line, and from one shell after the other")
struct RepeatedMessageTests {
  /// What a line comes to, in all that can differ.
  private static func meaning(of line: String, in place: CommandPlace, after message: inout RepeatedMessage) -> String {
    do throws(CommandFailure) {
      let words = try ShellWords.split(line)
      if place == .shell {
        switch try CommandTable.standard.parse(shell: words, after: &message) {
        case .command(let command, let name): return meaning(of: command, name)
        case .start(_, let keepGoing): return "start \(keepGoing)"
        case .text(let text): return text
        case .completion: return "completion"
        }
      }
      switch try CommandTable.standard.parse(line: words, after: &message) {
      case .text(let text): return text
      case .command(let command, let name): return meaning(of: command, name)
      }
    } catch {
      return error.text
    }
  }

  private static func meaning(of command: any ClientCommand, _ name: String) -> String {
    guard let send = command as? SendCommand else { return "\(name): \(command)" }
    return """
      \(name) to \(send.recipient) and \(send.also): \(send.text), \(send.wait), lines \(send.lines), \(send.subject ?? "-"), \
      \(send.replyTo ?? "-"), \(send.correct ?? "-"), \(send.shared.timeout ?? "-"), \(send.shared.account), \(send.shared.json)
      """
  }

  /// Each property and its value. The parser leaves the title of a group's help out.
  private static func everything(of value: some ParsableArguments) -> [Substring] {
    var text = ""
    dump(value, to: &text)
    return text.split(separator: "\n").filter { !$0.contains("- title: ") }
  }

  @Test("are without options what the parser makes of them")
  func made() throws {
    let parsed = try SendCommand.parse(["bob@example.org", "--", "one", "--two"])
    let made = SendCommand.plain(to: "bob@example.org", saying: ["one", "--two"])
    #expect(Self.everything(of: made) == Self.everything(of: parsed))
    #expect(Self.everything(of: SharedOptions.none) == Self.everything(of: try SharedOptions.parse([])))
    // Of a word that the parser has to read something is different.
    #expect(Self.everything(of: made) != Self.everything(of: try SendCommand.parse(["bob@example.org", "--", "one"])))
  }

  @Test("come to what each comes to by itself, whatever stood before it", arguments: [CommandPlace.lines, .shell])
  func alike(_ place: CommandPlace) {
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
      "send --also dave carol ho", "--account work send bob hi", "send --account work bob hi",
      "--account home send bob ho",
      "--json send bob x", "send bob x --json", "--keep-going send bob x", "",
    ]
    let alone = lines.map { line in
      var message = RepeatedMessage()
      return Self.meaning(of: line, in: place, after: &message)
    }
    for order in [Array(lines.indices), lines.indices.reversed()] {
      var message = RepeatedMessage()
      for index in order {
        #expect(Self.meaning(of: lines[index], in: place, after: &message) == alone[index], "\(lines[index])")
      }
    }
  }

  @Test("are parsed once, where only the person and the text are others")
  func once() throws {
    var message = RepeatedMessage()
    _ = Self.meaning(of: "send --wait sent bob one", in: .lines, after: &message)
    let words = ["send", "--wait", "sent", "carol", "two", "--three"]
    let prepared = try WordPreparation(words, in: .lines, of: .standard)
    #expect(message.command(of: prepared)?.name == "send")
    let other = try WordPreparation(["send", "--wait", "delivered", "carol", "two"], in: .lines, of: .standard)
    #expect(message.command(of: other) == nil)
    // Without options not even once.
    let plain = try WordPreparation(["send", "carol", "two"], in: .lines, of: .standard)
    #expect(RepeatedMessage().command(of: plain)?.name == "send")
  }
}
