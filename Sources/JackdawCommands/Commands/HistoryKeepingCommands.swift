// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
package import JackdawProtocol
import JackdawSession

/// `history off`: keeps nothing of a conversation.
package struct HistoryOffCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "off", abstract: "Keep nothing of a conversation on this machine.",
    discussion: """
      Its messages are deleted once they have been shown, those that are here now at once, and for good: 'history on' brings none \
      back. What your server keeps is another matter: 'history archive'. Without a name, lists the conversations of which nothing \
      is kept.
      """)
  package static let declaration = CommandDeclaration(
    arguments: [.word(.friend)], isLocal: true, meanings: ["disable", "private"],
    examples: [
      .init("history off bob@example.org", "Delete what is here of it, and keep nothing from now on.")
    ])

  @Argument(help: ArgumentHelp("With whom: a JID, or a friend's name.", valueName: "jid"), completion: .declared)
  package var addresses: [String] = []

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package var isLimited: Bool { false }

  @Client package func run(in context: CommandContext) async throws {
    try await context.learnNames(addresses)
    let log = try context.log
    let jids = try addresses.map { try context.conversation($0) }
    guard !jids.isEmpty else {
      let unkept = try log.unkept()
      if unkept.isEmpty { context.output.notice("No conversation is left out of the history.") }
      for jid in unkept { context.show(KeepingRow(jid: jid, isKept: false)) }
      return
    }
    // What was due before is none of these.
    var hasRemoved = try await removed(from: log, context) > 0
    var rows: [KeepingRow] = []
    for jid in jids {
      try log.keep(jid, false)
      let row = KeepingRow(jid: jid, isKept: false, deleted: try await removed(from: log, context))
      if row.deleted > 0 { hasRemoved = true }
      rows.append(row)
    }
    while hasRemoved, try log.purge() { try await context.application.pause() }
    for row in rows { context.show(row) }
  }

  /// Removes what is not to be kept, and was shown.
  @Client private func removed(from log: any MessageLog, _ context: CommandContext) async throws -> Int {
    var total = 0
    while true {
      let count = try log.expire(RetentionRule())
      guard count > 0 else { return total }
      total += count
      try await context.application.pause()
    }
  }
}

/// `history on`: keeps a conversation again.
package struct HistoryOnCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "on", abstract: "Keep what is said in a conversation, after 'history off'.")
  package static let declaration = CommandDeclaration(
    arguments: [.word(.friend)], isLocal: true, meanings: ["enable"],
    examples: [
      .init("history on bob@example.org", "Keep it again.")
    ])

  @Argument(help: ArgumentHelp("With whom: a JID, or a friend's name.", valueName: "jid"), completion: .declared)
  package var addresses: [String]

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    try await context.learnNames(addresses)
    let log = try context.log
    for jid in try addresses.map({ try context.conversation($0) }) {
      try log.keep(jid, true)
      context.show(KeepingRow(jid: jid, isKept: true))
    }
  }
}

/// Whether a conversation is kept.
package struct KeepingRow: CommandRow {
  /// With whom.
  package var jid: JID
  /// Beyond being shown.
  package var isKept: Bool
  /// How many messages of it were here, and are gone now; no part of the JSON.
  package var deleted = 0

  package var cells: [Cell] {
    let gone = deleted == 0 ? "" : " " + DeletedRow(jid: jid, messages: deleted).text
    return [Cell("\(jid) is \(isKept ? "kept" : "not kept").\(gone)", .sentence)]
  }

  private enum CodingKeys: String, CodingKey { case jid, kept }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(jid.description, forKey: .jid)
    try container.encode(isKept, forKey: .kept)
  }
}
