// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `/r`: to whoever wrote last.
package struct LastWriterCommand: ImmediateCommand {
  package static let configuration = CommandConfiguration(
    commandName: "r", abstract: "Talk to whoever wrote last.",
    discussion: "Plain lines go there from now on. At the prompt it is who wrote the last message on the screen.")
  package static let declaration = CommandDeclaration(
    place: .lines, picksConversation: true,
    examples: [.init("r", "Talk to whoever wrote last.")])

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func runAtOnce(in context: CommandContext) throws {
    let lines = context.lines
    guard context.origin == .prompt, let account = lines.lastWritten, account !== lines.account else {
      return try context.openLastWriter()
    }
    // The last message on the screen came to another account.
    lines.use(account)
    try context.of(account).openLastWriter(isReopened: true)
  }
}

extension CommandContext {
  /// - Parameter isReopened: the conversation that is open has not been looked at meanwhile.
  fileprivate func openLastWriter(isReopened: Bool = false) throws {
    guard let jid = try lastWriter() else {
      throw CommandFailure(.noUser, "item-not-found", "Nobody has written to you yet.")
    }
    if !isReopened, case .with(let present) = lines.conversation, try account().conversation(of: present) == jid {
      return
    }
    try open(jid)
  }
}

/// `/chats`: the conversations, and the keys that open them.
package struct ChatsCommand: ImmediateCommand {
  package static let configuration = CommandConfiguration(
    commandName: "chats", abstract: "List the recent conversations, and what is unread in them.",
    discussion: """
      At the prompt Alt-1 to Alt-9 open those with a number. The nine most recent ones have one, with friends and with whom you have \
      written to or opened; each keeps its number as long as it is among the nine.
      """)
  package static let declaration = CommandDeclaration(
    place: .lines, meanings: ["conversations", "windows", "wins", "buffers", "tabs", "next", "prev"],
    examples: [.init("chats", "Who was talked to of late, and which key opens it.")])

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func runAtOnce(in context: CommandContext) throws {
    let account = try context.account()
    var recent = context.lines.recent
    recent.load(try context.log.activity(limit: CommandLimits.conversationsKnown)) { account.isFriend($0) }
    let names = Dictionary(
      (account.knownFriends() ?? []).map { ($0.jid, $0.name) }, uniquingKeysWith: { first, _ in first })
    for entry in recent.list.prefix(CommandLimits.conversationsListed) {
      let isOpen = context.lines.conversation.shown.map(account.conversation) == entry.conversation
      context.show(ChatRow(entry, name: names[entry.conversation] ?? nil, isOpen: isOpen))
    }
  }
}

/// A conversation of the list.
package struct ChatRow: CommandRow {
  /// How it stands.
  package var entry: RecentConversations.Entry
  /// What the user calls whom it is with.
  package var name: String?
  /// Plain lines go there.
  package var isOpen: Bool

  /// A conversation with somebody of that name.
  package init(_ entry: RecentConversations.Entry, name: String?, isOpen: Bool) {
    self.entry = entry
    self.name = name
    self.isOpen = isOpen
  }

  package var cells: [Cell] {
    let remarks = (isOpen ? ["open"] : []) + (entry.unread > 0 ? ["\(entry.unread) unread"] : [])
    return [
      Cell(entry.number.map(String.init) ?? "", .number), Cell(name ?? "", .name),
      Cell(entry.conversation.description, .jid),
      Cell(remarks.joined(separator: ", "), entry.unread > 0 ? .unread : .faint),
    ]
  }

  private enum CodingKeys: String, CodingKey { case number, jid, name, unread, open }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(entry.number, forKey: .number)
    try container.encode(entry.conversation.description, forKey: .jid)
    try container.encode(name, forKey: .name)
    try container.encode(entry.unread, forKey: .unread)
    try container.encode(isOpen, forKey: .open)
  }
}

extension CommandContext {
  /// Plain lines go to `jid` from now on; at the prompt what was said there last is shown.
  func open(_ jid: JID) throws {
    lines.conversation = .with(jid)
    if origin == .prompt { try showConversation(with: jid) }
  }

  /// Whoever wrote last: at the prompt, of what is on the screen; else of what is in the log.
  /// - Returns: whom the conversation is with; nil: nobody.
  func lastWriter() throws -> JID? {
    if let writer = lines.lastWriter { return writer }
    let account = try account()
    let page = try log.page(LogQuery(limit: CommandLimits.lastWriterSought), before: nil)
    return page.messages.first { message in
      !message.isOutgoing && message.event.isAddressed && message.conversation != account.jid.bare
    }?
    .conversation
  }
}

extension MessageArrived {
  /// Somebody wrote it to the user, and may be answered.
  var isAddressed: Bool { carbon != .sent && !isAnnotation && (kind == .chat || kind == .normal) }
}
