// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol

/// A command did not end well.
package struct CommandFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// What the process ends with, if nothing else does.
  package var code: ExitCode
  /// A word for programs: a stanza-error condition, or one of ours such as `timeout`.
  package var condition: String
  /// One sentence for people. May hold words from the network: shown through the escaper only.
  package var text: String
  /// The command that failed, filled in by whoever runs it; nil where it was none.
  package var command: String?
  /// Whose it is, filled in by whoever runs a command or a line of one of several accounts; nil: that of whoever shows it.
  var account: JID?
  /// It has been shown already: only its code counts any more.
  package var isShown = false
  /// Its sentence says whose it is.
  var namesAccount = false
  /// It says in which of a script's files and lines it happened: the lines that include that file are not named, too.
  var namesFile = false
  package var description: String { text }

  /// A failure that nobody has seen yet.
  package init(_ code: ExitCode, _ condition: String, _ text: String, command: String? = nil) {
    self.code = code
    self.condition = condition
    self.text = text
    self.command = command
  }

  /// The condition of an output whose reader went away; nobody needs a sentence about it.
  package static let brokenPipe = "broken-pipe"

  /// The condition of what a user wrote and nobody will get; its text holds that.
  package static let notSent = "not-sent"

  /// What a command comes to that was told to end before it was done.
  package static let interrupted = CommandFailure(.interrupted, "interrupted", "Interrupted.")

  /// The same failure, whose sentence begins with where it happened: `line 3: …`.
  func located(_ place: String?) -> CommandFailure {
    guard let place else { return self }
    var failure = self
    failure.text = "\(place): \(text)"
    return failure
  }

  /// The same failure, whose text also says what another one means for the user: that messages are still unsent.
  func followed(by other: CommandFailure) -> CommandFailure {
    guard !text.contains(other.text) else { return self }
    var failure = self
    let end = text.last.map { ".!?".contains($0) } ?? false ? "" : "."
    failure.text = "\(text)\(end) \(other.text)"
    return failure
  }
}

/// As the `error` event of Docs/JSON.md.
extension CommandFailure: Encodable {
  /// The event's name.
  package static let event = "error"

  private enum CodingKeys: String, CodingKey { case command, condition, text, code }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(command, forKey: .command)
    try container.encode(condition, forKey: .condition)
    try container.encode(text, forKey: .text)
    try container.encode(code.value, forKey: .code)
  }
}
