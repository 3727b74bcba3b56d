// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// The messages of the conversation that plain lines go to, counted back: the last one is number 1, whoever wrote it.
@Client struct OpenConversation {
  /// Whom it is with.
  let jid: JID
  private let log: any MessageLog
  /// It is with the user's own account: the server sends what was said there back.
  private let isOfNotes: Bool

  /// The one that was open when the command's line was taken.
  /// - Throws: ``CommandFailure`` where none was open.
  init(_ context: CommandContext) throws {
    jid = try context.account().conversation(
      of: context.conversationMeant.recipient(example: context.examplePerson, isOfCommand: true))
    log = try context.log
    isOfNotes = try context.account().jid.bare == jid
    // What was said a moment ago may be on its way into the log.
    if let session = try context.account().session {
      session.intake.logArrivals()
      session.delivery.flush()
    }
  }

  /// The last messages, the newest first; none that was to change another one and did not arrive.
  func last(_ count: Int) throws -> [LoggedMessage] {
    guard isOfNotes else { return try logged(count) }
    // The log has a note as it was written and as it came back, under one id; it counts once, as on the screen.
    let messages = try logged(2 * count + 1)
    let written = Set(messages.compactMap { $0.isOutgoing ? $0.event.id : nil })
    return Array(messages.filter { $0.isOutgoing || !($0.event.id.map(written.contains) ?? false) }.prefix(count))
  }

  private func logged(_ count: Int) throws -> [LoggedMessage] {
    var messages: [LoggedMessage] = []
    var place: Int64?
    repeat {
      let page = try log.page(LogQuery(conversation: jid, limit: count - messages.count), before: place)
      messages += page.messages.filter { !$0.isFailedRemark }
      place = page.next
    } while place != nil && messages.count < count
    return messages
  }

  /// The message of a number.
  /// - Throws: ``CommandFailure`` where there is none, or it was sent without an id, by which alone others know it.
  func message(_ number: Int) throws -> LoggedMessage {
    guard number >= 1, number <= CommandLimits.countedBack else {
      throw CommandFailure(
        .usage, "usage", "Messages are counted from 1, the last one, to \(CommandLimits.countedBack).")
    }
    let messages = try last(number)
    guard messages.count == number, let message = messages.last else {
      throw CommandFailure(.noUser, "item-not-found", "There is no message \(number) here: '/ids' shows the numbers.")
    }
    guard message.event.id != nil else {
      throw CommandFailure(
        .unavailable, "item-not-found", "That message has no id, so there is no way to refer to it.")
    }
    return message
  }

  /// The last message that the user wrote, or that was written to them, and that was neither taken back nor withdrawn.
  /// - Throws: ``CommandFailure`` where there is none.
  func lastMessage(ofOurs isOurs: Bool) throws -> LoggedMessage {
    let messages = try last(CommandLimits.countedBack)
    let found = messages.first {
      $0.isOutgoing == isOurs && $0.event.id != nil && !$0.fate.isRetracted && !$0.isWithdrawn
    }
    if let found { return found }
    let who = isOurs ? "You have" : "They have"
    throw CommandFailure(.noUser, "item-not-found", "\(who) not said anything here lately.")
  }

  /// Recipient of a correction or retraction of an own message: the original's full JID, else the bare one. What was sent to one device
  /// may reach the others as a carbon, and later than what is sent to all.
  func recipient(of original: LoggedMessage) -> JID {
    original.event.kind == .chat && original.event.to.bare == jid ? original.event.to : jid
  }
}
