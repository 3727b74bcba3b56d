// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `send`: one message, or one a line, to one person or several.
package struct SendCommand: MessageCommand {
  package static let configuration = CommandConfiguration(
    commandName: "send", abstract: "Send a message and wait until the server has it.",
    discussion: """
      Without TEXT, or with '-' in its place, all of stdin is the message, or what a link such as 'xmpp:bob@example.org?message;body=Hello' gives. Options come before the text, or from the shell all of them after it; \
      everything after '--' is text, and all words before it are people: 'send bob carol -- See you at 8'. What colours text on a \
      terminal is left out. '--wait delivered' waits until a device of theirs has it, '--wait displayed' until they have read it: \
      both need a program at the other end that tells; in rooms nobody tells the first, and the second only in small ones of members who see \
      each other.
      """)
  package static let declaration = CommandDeclaration(
    arguments: [.several(.friend, option: "--also"), .text(.friend)],
    options: [
      "--wait": .words(Wait.allCases.map(\.rawValue)), "--also": .friend, "--reply-to": .nothing, "--correct": .nothing,
      "--subject": .nothing,
    ],
    turn: .inMessages, readsText: true,
    aliases: ["msg"],
    meanings: ["message", "say", "tell", "write", "whisper", "privmsg", "dm", "pm", "msay", "say_to"],
    examples: [
      .init("send bob@example.org On my way", "Send a message."),
      .init("send bob@example.org carol@example.org -- See you at 8", "Send it to several people."),
      .init("send --lines bob@example.org", "Send each line of stdin as a message.", in: .shell),
    ])

  /// How far a message has to get before the command ends well.
  package enum Wait: String, ExpressibleByArgument, CaseIterable, Sendable {
    case sent, server, delivered, displayed
  }

  @Argument(help: ArgumentHelp("A JID, or a friend's name.", valueName: "jid"), completion: .declared)
  package var recipient: String

  @Argument(help: "The message.", completion: .list([]))
  package var text: [String] = []

  @Option(
    help: ArgumentHelp("Who gets it too; so does each word before '--'.", valueName: "jid"), completion: .declared)
  package var also: [String] = []

  @Flag(help: "Send each line of stdin as a message of its own, as soon as it comes.")
  package var lines = false

  @Option(help: "What to wait for: sent, server, delivered or displayed.")
  package var wait: Wait = .server

  @Option(help: ArgumentHelp("What the message is about.", valueName: "text"))
  package var subject: String?

  @Option(help: ArgumentHelp("The message of this id is answered.", valueName: "id"))
  package var replyTo: String?

  @Option(help: ArgumentHelp("Your message of this id is said in these other words.", valueName: "id"))
  package var correct: String?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  /// Without options, as the parser would make it of these words: it takes an eighth of the processor's time of a `send`.
  static func plain(to recipient: String, saying text: [String]) -> Self {
    // In an initializer an assignment would make the property anew, unparsed.
    var command = Self()
    command.recipient = recipient
    command.text = text
    command.also = []
    command.lines = false
    command.wait = .server
    command.subject = nil
    command.replyTo = nil
    command.correct = nil
    command.shared = .none
    return command
  }

  package func validate() throws {
    if lines, !text.isEmpty { throw ValidationError("'--lines' reads the messages from stdin: leave TEXT out") }
    if lines, wait == .delivered || wait == .displayed {
      throw ValidationError("'--lines' waits for the server, and not for '\(wait.rawValue)'")
    }
    if lines, subject != nil { throw ValidationError("'--subject' is for one message, and '--lines' sends many") }
    if replyTo != nil || correct != nil, lines || !also.isEmpty {
      throw ValidationError("'--reply-to' and '--correct' are for one message to one person")
    }
    if replyTo != nil, correct != nil { throw ValidationError("use either '--reply-to' or '--correct'") }
  }

  mutating func readdress(to recipient: String, saying text: [String]) {
    self.recipient = recipient
    self.text = text
  }

  /// Lines may come for as long as they like.
  package var isLimited: Bool { !lines }

  @Client package func run(in context: CommandContext) async throws {
    if context.origin == .shell { context.openMessages = OpenMessages() }
    // What is wrong with the words is told before anything is read or sent.
    for word in [recipient] + also { _ = try context.addressWithoutList(word) }
    let proposed = try proposal(for: context)
    if lines {
      try Self.refuseInLine(context)
      return try await LineSending(to: recipients(in: context), confirms: wait == .server, context).run()
    }
    let body = try await message(context, proposed)
    let all = try await recipients(in: context)
    let session = try await context.chatSession()
    for jid in all { try await context.application.approach(jid, of: context.account()) }
    try await context.refuseMissingRooms(all, session)
    let relations = try about(body, to: all[0], context)
    try await context.refuseOnIRC(all[0], relations)
    let subject = try subject.map { try OutgoingText.checked($0) }
    let confirms = wait != .sent && context.origin != .prompt
    let receipts = try wait.receipt.map { try ReceiptWait(for: $0, session, context) }
    if confirms, let wanted = wait.receipt { try await context.refuseSilentRooms(all, telling: wanted, session) }
    try await context.each(all) { to in
      // A script is read no faster than what it does not wait for goes out.
      if isFollowed(in: context) { try await session.delivery.waitForRoom(within: context.timeout) }
      let id = try await queue(body, to: to, saying: relations, subject, session, context)
      guard confirms || isLeftBehind(to, session, context) else {
        try await write(id, session, context)
        return show(id, to, session, context)
      }
      try await session.confirm(id, to: to, within: context.timeout)
      if let receipts { try await receipts.wait(for: id, to: to) }
      context.show(SentRow(id: id, to: to, state: wait.receipt ?? .server))
    }
  }

  @Client package func runIfReady(in context: CommandContext) throws -> Bool {
    guard isFollowed(in: context), !lines, !text.isEmpty, also.isEmpty, replyTo ?? correct == nil,
      !XMPPURI.isLikely(recipient), let session = try context.readySession, session.delivery.hasStream,
      session.delivery.hasRoom,
      let to = try context.addressWithoutList(recipient), try context.account().isKnownPerson(to)
    else { return false }
    let body = try typed(context)
    let subject = try subject.map { try OutgoingText.checked($0) }
    try context.messageGoes(to: to, in: session)
    let id = try session.delivery.send(body, to: to, subject: subject)
    try sent(id, body, to: to, saying: [], subject, session, context)
    show(id, to, session, context)
    return true
  }

  /// What does not wait for the server by itself is confirmed at the end of a script.
  @Client private func isFollowed(in context: CommandContext) -> Bool { wait == .sent && context.origin == .script }

  /// What cannot go out at once, into a room that has to be entered first say, would stay here when a command of the shell ends, and be
  /// lost where the command leaves the room then. So the server has to have it.
  @Client private func isLeftBehind(_ to: JID, _ session: Session, _ context: CommandContext) -> Bool {
    context.origin == .shell && session.delivery.sending(to: to) == .waits
  }

  /// A command of the shell ends with what it has written: that is waited for, where nothing else is.
  @Client private func write(_ id: String, _ session: Session, _ context: CommandContext) async throws {
    guard context.origin == .shell else { return }
    try await session.delivery.written([id], within: context.timeLeft)
    if let error = session.delivery.failure(of: id) { throw error }
  }

  @Client private func queue(
    _ body: String, to: JID, saying relations: [MessageRelation], _ subject: String?, _ session: Session,
    _ context: CommandContext
  ) async throws -> String {
    try context.messageGoes(to: to, in: session)
    let id = try await session.delivery.queue(body, to: to, saying: relations, subject: subject)
    try sent(id, body, to: to, saying: relations, subject, session, context)
    return id
  }

  @Client private func sent(
    _ id: String, _ body: String, to: JID, saying relations: [MessageRelation], _ subject: String?, _ session: Session,
    _ context: CommandContext
  ) throws {
    context.openMessages?.add(id, in: session)
    context.tellSaid(body, id: id, to: to, saying: relations, about: subject, session)
    if isFollowed(in: context) { context.lines.unconfirmed.add(id, in: session, of: try context.account()) }
  }

  /// That it was sent, where nothing else is waited for.
  @Client private func show(_ id: String, _ to: JID, _ session: Session, _ context: CommandContext) {
    context.show(SentRow(id: id, to: to, state: session.delivery.sending(to: to) == .goes ? .sent : .waiting))
  }

  /// What is said of an earlier message.
  /// - Throws: ``CommandFailure`` where there is no such message in the log.
  @Client private func about(_ body: String, to: JID, _ context: CommandContext) throws -> [MessageRelation] {
    guard let id = replyTo ?? correct else { return [] }
    let log = try context.log
    let conversation = try context.account().conversation(of: to)
    guard let number = try log.number(ofID: id, in: conversation), let original = try log.message(number) else {
      throw CommandFailure(.noUser, "item-not-found", "There is no message '\(id)' in what was said with \(to.bare).")
    }
    if replyTo != nil { return [Reply(to: original).relation] }
    guard original.isOutgoing else {
      throw CommandFailure(.usage, "forbidden", "The message '\(id)' is not yours: only who wrote it can correct it.")
    }
    return try Correction(of: original, text: body, now: context.application.now()).relations
  }

  /// Whom the words mean, all of them before anything is sent to one. At the prompt nothing that is said after it waits for the
  /// network.
  @Client private func recipients(in context: CommandContext) async throws -> [JID] {
    var all: [JID] = []
    for word in [recipient] + also {
      do {
        all.append(
          context.origin == .prompt ? try context.knownAddress(word) : try await context.address(word))
      } catch let failure as CommandFailure where failure.condition == "item-not-found" {
        var failure = context.naming(word, inOpenRoom: failure)
        if !also.isEmpty { failure.text = "\(failure.text) Each word before '--' is somebody who gets the message." }
        throw failure
      }
    }
    return all
  }

  /// The message that a link proposes (XEP-0147 5.1); nil without one. What is typed counts more.
  /// - Throws: ``CommandFailure`` for a link that is meant for another account.
  @Client private func proposal(for context: CommandContext) throws -> String? {
    guard XMPPURI.isLikely(recipient) else { return nil }
    let link = try XMPPURI(recipient)
    let own = try context.account().jid.bare
    if let account = link.account?.bare, account != own {
      throw CommandFailure(.badInput, "jid-malformed", "'\(recipient)' is for \(account), and you are \(own).")
    }
    guard link.action == "message", let body = link.value(of: "body"), !body.allSatisfy(\.isWhitespace) else {
      return nil
    }
    return body
  }

  @Client private func message(_ context: CommandContext, _ proposed: String?) async throws -> String {
    if !text.isEmpty { return try typed(context) }
    if let proposed { return try OutgoingText.checked(proposed) }
    try Self.refuseInLine(context)
    let application = context.application
    if application.isInputTerminal { context.output.notice("Type the message; Ctrl-D on an empty line ends it.") }
    var all: [String] = []
    while let line = try await application.input.nextLine() { all.append(line) }
    while all.last?.isEmpty == true { all.removeLast() }
    return try OutgoingText.message(
      all.joined(separator: "\n"), emptiness: .badInput
    ) { context.output.notice(OutgoingText.cleaned) }
  }

  @Client private func typed(_ context: CommandContext) throws -> String {
    try OutgoingText.message(text.joined(separator: " "), emptiness: .usage) {
      context.output.notice(OutgoingText.cleaned)
    }
  }

  /// In a line, stdin is where the lines come from.
  @Client private static func refuseInLine(_ context: CommandContext) throws(CommandFailure) {
    guard context.origin == .shell else { throw CommandFailure(.usage, "usage", "There is no text to send.") }
  }
}
