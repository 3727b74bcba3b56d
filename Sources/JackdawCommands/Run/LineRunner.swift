// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawSession

/// Runs single lines: what scripts and the prompt have in common.
@Client package final class LineRunner {
  package let state = LineState()
  /// Where the line stands that runs: `line 3`; nil at the prompt.
  package var location: String?
  private let application: Application
  private let origin: CommandContext.Origin
  private var confirmations: Confirmations?

  package init(origin: CommandContext.Origin, application: Application) {
    self.origin = origin
    self.application = application
  }

  /// Runs a line; returns when what it asks for is done.
  /// - Parameter conversation: whom a plain line goes to.
  package func run(_ line: Line) async throws(CommandFailure) {
    switch line {
    case .blank: break
    case .message(let text): try await say(text)
    case .command(let words):
      guard let first = words.first else {
        throw CommandFailure(.usage, "usage", "a command is missing after '/'; '/help' lists them")
      }
      switch try CommandTable.parse(line: words) {
      case .text(let text):
        for row in HelpRow.lines(of: text) { application.output.show(row, of: first) }
      case .command(let command, let name):
        let context = CommandContext(
          origin: origin, application: application, lines: state, command: name,
          timeout: try SettingsReader.timeout(ofLine: command.shared), location: location)
        try await context.run(command)
      }
    }
  }

  /// Waits until the server has every message that plain lines sent.
  /// - Throws: ``CommandFailure`` when it does not, or one was refused.
  package func confirm() async throws(CommandFailure) {
    // At the prompt, what failed before was shown when it happened.
    if origin == .prompt { confirmations?.forgetFailure() }
    do {
      try await confirmations?.finish()
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Sends a plain line to the current conversation.
  private func say(_ text: String) async throws(CommandFailure) {
    guard let to = state.conversation else {
      throw CommandFailure(
        .usage, "no-conversation", "nobody is being talked to: begin with '/to somebody@example.org'")
    }
    let body = try SendCommand.checked(text)
    do {
      let session = try await application.chatSession(timeout: application.settings.timeout)
      // A script is read no faster than its messages go out; a person is.
      if origin == .script { try await session.features[Chat.self].waitForRoom() }
      let id = try session.features[Chat.self].send(body, to: to)
      if origin == .prompt {
        // The line that was typed is gone from the screen: what was said stands among what the others say.
        application.output.show(
          MessageArrived(id: id, from: session.identity.account, to: to, kind: .chat, body: body))
      }
      follow(session).add(id)
    } catch {
      var failure = CommandFailure(error)
      failure.text = "the message to \(to) was not sent: \(failure.text)"
      throw failure
    }
  }

  private func follow(_ session: Session) -> Confirmations {
    if let confirmations { return confirmations }
    let made = Confirmations(session)
    confirmations = made
    return made
  }
}
