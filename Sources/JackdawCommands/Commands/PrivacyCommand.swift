// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
package import JackdawProtocol
package import JackdawSession

/// `privacy`: what people are told of what one does with their messages.
package struct PrivacyCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "privacy", abstract: "Show or set what people are told of what you do with their messages.",
    discussion: """
      'receipts': that a message has come to your device; 'markers': that you have read it; 'typing': that you are typing. What their \
      programs tell of yours is shown as '✓ Bob read this.', or '✓ Bob got this.' where it was long on its way. Only your \
      contacts are told, and those to whom you have written; in rooms all who are there, where they are few, let in by name, and see who \
      each of them is, or where you say so. For all of them it is set in the configuration: 'typing = false'. \
      'default' takes back what was set for one.
      """)
  package static let declaration = CommandDeclaration(
    arguments: [
      .word(.friend), .word(.words(Disclosure.allCases.map(\.rawValue))),
      .word(.words(Setting.allCases.map(\.rawValue))),
    ],
    meanings: ["receipts", "markers", "typing"],
    examples: [
      .init("privacy", "What is told to all."),
      .init("privacy bob@example.org", "What Bob is told."),
      .init("privacy bob@example.org typing off", "Bob is not told that you are typing."),
    ])

  /// What is set.
  package enum Setting: String, ExpressibleByArgument, CaseIterable, Sendable { case on, off, `default` }

  @Argument(help: ArgumentHelp("Whom: a JID, or a friend's name.", valueName: "jid"), completion: .declared)
  package var address: String?

  @Argument(help: ArgumentHelp("receipts, markers or typing.", valueName: "what"))
  package var what: Disclosure?

  @Argument(help: ArgumentHelp("on, off, or default: as for all.", valueName: "setting"))
  package var setting: Setting?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package func validate() throws {
    if let address, Disclosure(rawValue: address) != nil {
      throw ValidationError("what all are told is set in the configuration: '\(address) = false'")
    }
    if let what, setting == nil { throw ValidationError("'\(what.rawValue)' is to be on, off or default") }
  }

  @Client package func run(in context: CommandContext) async throws {
    let settings = context.application.settings.discloses
    guard let address else {
      for what in Disclosure.allCases { context.show(PrivacyRow(what: what, isAllowed: settings.contains(what))) }
      return
    }
    try await context.learnNames([address])
    let jid = try context.knownAddress(address).bare
    let store = try context.log.privacy
    let isRoom = try context.account().knownRooms().contains { $0.jid == jid }
    if isRoom, what == .receipts {
      throw CommandFailure(.badInput, "not-acceptable", "Nobody in a room is told that a message has come.")
    }
    if let what, let setting { try store.disclose(what, to: jid, setting == .default ? nil : setting == .on) }
    let own = try store.disclosures(to: jid)
    for what in Disclosure.allCases where self.what == nil || self.what == what {
      guard !isRoom || what != .receipts else { continue }
      context.show(
        PrivacyRow(
          what: what, isAllowed: own[what] ?? settings.contains(what), jid: jid, isOwn: own[what] != nil,
          isRoom: isRoom))
    }
  }
}

extension Disclosure: ExpressibleByArgument {}

extension CommandContext {
  /// What somebody is told, if they are a contact.
  func disclosures(to jid: JID) throws -> [Disclosure: Bool] {
    let own = try log.privacy.disclosures(to: jid)
    let settings = application.settings.discloses
    return Dictionary(uniqueKeysWithValues: Disclosure.allCases.map { ($0, own[$0] ?? settings.contains($0)) })
  }
}

/// What somebody is told.
package struct PrivacyRow: CommandRow {
  /// The kind of news.
  package var what: Disclosure
  /// They are told.
  package var isAllowed: Bool
  /// Whom; nil: all of whom nothing else is said.
  package var jid: JID?
  /// It was said of them alone.
  package var isOwn = false
  /// It is a room: of that alone in which few are, let in by name, and see who each of them is, unless ``isOwn``.
  package var isRoom = false

  package var cells: [Cell] {
    let whom = jid.map { "\($0)" } ?? "all"
    return [
      Cell(what.rawValue, .heading), Cell(isAllowed ? "on" : "off", isAllowed ? .good : .faint),
      Cell(
        isOwn
          ? "for \(whom) alone"
          : jid == nil ? "" : isRoom ? "in small rooms of members who see each other" : "as for all",
        .faint),
    ]
  }

  private enum CodingKeys: String, CodingKey { case jid, what, allowed, own }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(jid?.description, forKey: .jid)
    try container.encode(what.rawValue, forKey: .what)
    try container.encode(isAllowed, forKey: .allowed)
    try container.encode(isOwn, forKey: .own)
  }
}
