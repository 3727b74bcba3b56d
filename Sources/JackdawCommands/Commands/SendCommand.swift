// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `send`: one message, or one a line.
package struct SendCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "send", abstract: "Send a message and wait until the server has it.",
    discussion: """
      Without TEXT all of stdin is the message, or what a link such as 'xmpp:bob@example.org?message;body=Hello' gives. Options come before the text, or from the shell all of them after it; \
      everything after '--' is text.
      """)
  package static let declaration = CommandDeclaration(
    arguments: [.word(.friend), .text(.friend)], options: ["--wait": .words(Wait.allCases.map(\.rawValue))],
    turn: .inMessages,
    aliases: ["msg"], meanings: ["message", "say", "tell", "write", "whisper", "privmsg"],
    examples: [
      .init("send bob@example.org On my way", "Send a message."),
      .init("send --lines bob@example.org", "Send each line of stdin as a message.", in: .shell),
    ])

  /// How far a message has to get before the command ends well.
  package enum Wait: String, ExpressibleByArgument, CaseIterable, Sendable {
    case sent, server
  }

  @Argument(help: ArgumentHelp("A JID, or a friend's name.", valueName: "jid"), completion: .list([]))
  package var recipient: String

  @Argument(help: "The message.", completion: .list([]))
  package var text: [String] = []

  @Flag(help: "Send each line of stdin as a message of its own, as soon as it comes.")
  package var lines = false

  @Option(help: "What to wait for: sent or server.")
  package var wait: Wait = .server

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package func validate() throws {
    if lines, !text.isEmpty { throw ValidationError("'--lines' reads the messages from stdin: leave TEXT out") }
  }

  /// Lines may come for as long as they like.
  package var isLimited: Bool { !lines }

  @Client package func run(in context: CommandContext) async throws {
    // What is wrong with the words is told before anything is read or sent.
    let known = try CommandContext.jid(recipient)
    let proposed = try proposal(for: context)
    if lines { return try await sendLines(to: known, context) }
    let body = if text.isEmpty, let proposed { try OutgoingText.checked(proposed) } else { try await message(context) }
    let to = if let known { known } else { try await address(in: context) }
    let delivery = try await context.chatSession().delivery
    let id = try delivery.queue(body, to: to)
    let confirms = wait == .server && context.origin != .prompt
    if confirms { try await delivery.confirm([id]) }
    context.show(
      SentRow(id: id, to: to, state: confirms ? .server : delivery.sending(to: to) == .goes ? .sent : .waiting))
  }

  /// At the prompt nothing that is said after it waits for the network.
  @Client private func address(in context: CommandContext) async throws -> JID {
    context.origin == .prompt ? try context.knownAddress(recipient) : try await context.address(recipient)
  }

  /// The message that a link proposes (XEP-0147 5.1); nil without one. What is typed counts more.
  /// - Throws: ``CommandFailure`` for a link that is meant for another account.
  @Client private func proposal(for context: CommandContext) throws -> String? {
    guard XMPPURI.isLikely(recipient) else { return nil }
    let link = try XMPPURI(recipient)
    let own = try context.application.settings.account().bare
    if let account = link.account?.bare, account != own {
      throw CommandFailure(.badInput, "jid-malformed", "'\(recipient)' is meant for \(account), and you are \(own)")
    }
    guard link.action == "message", let body = link.value(of: "body"), !body.isEmpty else { return nil }
    return body
  }

  /// Each line is on its way as soon as it comes, and shown as soon as it has arrived.
  @Client private func sendLines(to known: JID?, _ context: CommandContext) async throws {
    try Self.refuseInLine(context)
    let to = if let known { known } else { try await context.address(recipient) }
    let session = try await context.session()
    let confirms = wait == .server
    let confirmations = Confirmations(session) { id in
      if confirms { context.show(SentRow(id: id, to: to, state: .server)) }
    }
    do {
      while let line = try await context.application.input.nextLine() {
        guard !line.isEmpty else { continue }
        let id = try session.delivery.send(OutgoingText.checked(line), to: to)
        confirmations.add(id)
        try await session.delivery.waitForRoom()
        if !confirms { context.show(SentRow(id: id, to: to, state: .sent)) }
      }
    } catch {
      // Those before are still to arrive; the failure that ended it is the one told.
      try? await confirmations.finish()
      throw error
    }
    if confirms { try await confirmations.finish() }
  }

  @Client private func message(_ context: CommandContext) async throws -> String {
    if !text.isEmpty { return try OutgoingText.checked(text.joined(separator: " ")) }
    try Self.refuseInLine(context)
    let application = context.application
    if application.isInputTerminal { context.output.notice("type the message; Ctrl-D on an empty line ends it") }
    var all: [String] = []
    while let line = try await application.input.nextLine() { all.append(line) }
    while all.last?.isEmpty == true { all.removeLast() }
    let body = all.joined(separator: "\n")
    guard !body.isEmpty else {
      throw CommandFailure(.badInput, "bad-input", "stdin was empty: there is no message to send")
    }
    return try OutgoingText.checked(body)
  }

  /// In a line, stdin is where the lines come from.
  @Client private static func refuseInLine(_ context: CommandContext) throws(CommandFailure) {
    guard context.origin == .shell else { throw CommandFailure(.usage, "usage", "there is no text to send") }
  }
}
