// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `/reply`: answers a certain message (XEP-0461).
package struct ReplyCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "reply", abstract: "Answer a certain message.",
    discussion: """
      Answers the last message that was written to you, or the one with the number that '/ids' shows: '/reply 3 Yes'. Where your \
      text begins with a number, put the message's number before it. The message that you answer is repeated above your text \
      for programs that know no replies.
      """)
  package static let declaration = CommandDeclaration(
    place: .lines, arguments: [.line(.nothing)], turn: .inMessages,
    meanings: ["answer", "quote", "cite"],
    examples: [
      .init("reply Yes, at nine", "Answer the last message."),
      .init("reply 3 Yes, at nine", "Answer the third last."),
    ])

  @Argument(help: ArgumentHelp("Which message, if it is not the last, and your answer.", valueName: "text"))
  package var text: [String]

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let conversation = try OpenConversation(context)
    let (number, answer) = NumberedText.split(text.joined(separator: " "))
    guard !answer.allSatisfy(\.isWhitespace) else {
      throw CommandFailure(.usage, "usage", "Your answer is missing: /reply \(number.map { "\($0) " } ?? "")Yes")
    }
    let original = try number.map { try conversation.message($0) } ?? conversation.lastMessage(ofOurs: false)
    try await context.say(answer, to: conversation.jid, saying: [Reply(to: original).relation])
  }
}

/// `/correct`: the last message in other words (XEP-0308).
package struct CorrectCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "correct", abstract: "Say your last message in other words.",
    discussion: """
      Programs that know corrections show the new text in the place of the old one; others show it as a message of its own. \
      Alt-Up puts your last message on the input line to be changed.
      """)
  package static let declaration = CommandDeclaration(
    place: .lines, arguments: [.line(.nothing)], turn: .inMessages,
    meanings: ["edit", "fix", "correction"],
    examples: [.init("correct Lunch at one", "The last message said something else.")])

  @Argument(help: "What it is to say.")
  package var text: [String]

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let conversation = try OpenConversation(context)
    let original = try conversation.lastMessage(ofOurs: true)
    let text = text.joined(separator: " ")
    let correction = try Correction(of: original, text: text, now: context.application.now())
    try await context.refuseOnIRC(conversation.jid, correction.relations)
    try await context.say(text, to: conversation.recipient(of: original), saying: correction.relations)
  }
}

/// `/react`: emoji beside a message (XEP-0444).
package struct ReactCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "react", abstract: "React to a message with emoji.",
    discussion: """
      To the last message that was written to you, or the one with the number that '/ids' shows. What you reacted with before is \
      replaced; without emoji it is taken back.
      """)
  package static let declaration = CommandDeclaration(
    place: .lines, arguments: [.word(.words(["👍", "❤️", "😂", "😮", "😢", "🎉"]))], turn: .inMessages,
    meanings: ["emoji", "like", "thumbsup", "reaction"],
    examples: [
      .init("react 👍", "To the last message."),
      .init("react 2 🎉", "To the one before it."),
      .init("react", "Take your reaction back."),
    ])

  @Argument(help: ArgumentHelp("Which message, if it is not the last, and the emoji.", valueName: "emoji"))
  package var words: [String] = []

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let conversation = try OpenConversation(context)
    let number = words.first.flatMap { Int($0) }
    let reactions = try ReactionList(number == nil ? words : Array(words.dropFirst())).reactions
    let original = try number.map { try conversation.message($0) } ?? conversation.lastMessage(ofOurs: false)
    guard let id = original.event.id else { return }
    guard !original.isWithdrawn else {
      throw CommandFailure(
        .unavailable, "not-acceptable", "You withdrew that message: nobody would see what you react to.")
    }
    if reactions.isEmpty, try !mayHaveReacted(to: original, context) {
      throw CommandFailure(
        .usage, "usage", "You have not reacted to that. Which emoji? /react \(number.map { "\($0) " } ?? "")👍")
    }
    let reaction = MessageRelation.reacts(to: id, with: reactions)
    try await context.refuseOnIRC(conversation.jid, [reaction])
    try await context.say("", to: conversation.jid, saying: [reaction])
  }

  /// In a room it is not known here which occupant was whose.
  @Client private func mayHaveReacted(to message: LoggedMessage, _ context: CommandContext) throws -> Bool {
    guard message.event.kind != .groupchat else { return true }
    let own = try context.account().jid.bare
    return message.fate.reactions.contains { $0.from.bare == own }
  }
}

/// `/retract`: takes a message back (XEP-0424).
package struct RetractCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "retract", abstract: "Ask for a message of yours to be seen no more.",
    discussion: """
      Your last message, or the one with the number that '/ids' shows. One that is still unsent is not sent. Programs that know \
      retractions hide it; whoever has read it has read it.
      """)
  package static let declaration = CommandDeclaration(
    place: .lines, arguments: [.word(.nothing)], turn: .inMessages, isTypedWhole: true,
    meanings: ["unsay", "takeback", "recall"],
    examples: [
      .init("retract", "Your last message."),
      .init("retract 3", "The third last message, if it is yours."),
    ])

  @Argument(help: ArgumentHelp("Which message; else your last.", valueName: "number"))
  package var number: Int?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let conversation = try OpenConversation(context)
    let original = try number.map { try conversation.message($0) } ?? conversation.lastMessage(ofOurs: true)
    guard original.isOutgoing, let id = original.event.id else {
      throw CommandFailure(
        .usage, "forbidden", "Message \(number ?? 1) is not yours: only who wrote it can take it back.")
    }
    guard !original.fate.isRetracted else {
      throw CommandFailure(.usage, "conflict", "You have taken that message back already.")
    }
    guard !original.isWithdrawn else {
      throw CommandFailure(.unavailable, "not-acceptable", "You withdrew that message: there is nothing to take back.")
    }
    if original.state == .waiting, case .withdrawn(let to, mayHaveArrived: false) = try context.account().withdraw(id) {
      return context.show(WithdrawnRow(id: id, to: to, mayHaveArrived: false))
    }
    try await context.refuseOnIRC(conversation.jid, [.retracts(id)])
    try await context.say("", to: conversation.recipient(of: original), saying: [.retracts(id)])
  }
}

extension CommandContext {
  /// IRC has lines and no more: what changes an earlier one would be a new one there, or nothing.
  /// - Throws: ``CommandFailure`` where `jid` is a channel of IRC, as far as that can be known.
  func refuseOnIRC(_ jid: JID, _ relations: [MessageRelation]) async throws {
    let lack: String? = relations.lazy.compactMap { relation in
      switch relation {
      case .reacts: "which has no reactions"
      case .retracts: "where nothing can be taken back"
      case .replaces: "where nothing can be corrected"
      case .replies: nil
      }
    }.first
    guard let lack, try await isOnIRC(jid) else { return }
    throw CommandFailure(.unavailable, "feature-not-implemented", "\(jid) is a channel of IRC, \(lack).")
  }

  private func isOnIRC(_ jid: JID) async throws -> Bool {
    guard jid.resource == nil, let session = try account().session else { return false }
    let groupchat = session.features[Groupchat.self]
    if let room = groupchat.room(jid), room.information != nil { return room.isOnIRC }
    // One that is not entered yet was not asked what it is.
    guard session.isOnline, groupchat.isRoom(jid) else { return false }
    // What is typed behind it waits for the answer.
    let information = try? await session.features[ServiceDiscovery.self].information(
      of: jid, timeout: min(timeout, CommandLimits.unnamedFeature))
    try Task.checkCancellation()
    return information?.has(category: "conference", type: "irc") == true
  }

  /// Sends something that is about an earlier message. At the prompt it is shown as what was said; elsewhere the server has it when
  /// this returns.
  /// - Parameter body: empty where only `relations` say something.
  func say(_ body: String, to: JID, saying relations: [MessageRelation]) async throws {
    let body = try OutgoingText.checked(body)
    let session = try await chatSession()
    try await application.approach(to, of: account())
    try messageGoes(to: to, in: session)
    let id = try await session.delivery.queue(body, to: to, saying: relations)
    tellSaid(body, id: id, to: to, saying: relations, session)
    if origin != .prompt { try await session.confirm(id, to: to, within: timeout) }
    show(SentRow(id: id, to: to, state: origin == .prompt ? .sent : .server))
  }
}
