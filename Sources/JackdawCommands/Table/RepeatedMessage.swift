// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import ArgumentParser

/// A command that scripts give again and again with another person and another text.
protocol MessageCommand: ClientCommand {
  /// What was parsed stands, but for these.
  mutating func readdress(to recipient: String, saying text: [String])
}

/// What a line, or the words of a command, came to, for those behind it that send a message in the same way: the parser takes half a
/// millisecond for each command, as it makes all of its options anew, and a script, or an agent, may send ten thousand messages.
struct RepeatedMessage {
  private var how: [String] = []
  private var known: (command: any MessageCommand, name: String)?

  /// The command that the words are, where they are a message without options, or the line before was one that differs in whom and what
  /// only. Nil where there is something wrong with it: the parser says what, in its words.
  func command(of prepared: WordPreparation) -> (command: any ClientCommand, name: String)? {
    guard let message = prepared.message else { return nil }
    if message.how.elementsEqual(CollectionOfOne(SendCommand.word)) {
      let command = SendCommand.plain(to: message.to, saying: Array(message.text))
      return (try? command.validate()) == nil ? nil : (command, SendCommand.word)
    }
    guard let known, message.how.elementsEqual(how) else { return nil }
    var command = known.command
    command.readdress(to: message.to, saying: Array(message.text))
    guard (try? command.validate()) != nil else { return nil }
    return (command, known.name)
  }

  /// Takes note of what the words came to.
  mutating func note(_ command: any ClientCommand, named name: String, of prepared: WordPreparation) {
    guard let command = command as? any MessageCommand, let message = prepared.message else { return }
    how = Array(message.how)
    known = (command, name)
  }
}
