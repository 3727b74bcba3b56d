// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `vcard …`: what people tell of themselves. `vcard bob@example.org` is `vcard show bob@example.org`.
package struct VCardCommand: JackdawCommand {
  package static let subcommands: [any JackdawCommand.Type] = [VCardShowCommand.self, VCardSetCommand.self]
  package static let configuration = CommandConfiguration(
    commandName: "vcard", abstract: "Show vCards; change yours.",
    subcommands: subcommands)
  package static let declaration = CommandDeclaration(
    bare: .commandWithArguments(VCardShowCommand.self),
    meanings: ["card", "profile", "avatar"])
  package init() {}
}

/// `vcard show`: a card, field by field.
package struct VCardShowCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show what somebody tells of themselves; 'show' can be left out.",
    discussion: "Of a picture only the type, the size and the hash are shown.")
  package static let declaration = CommandDeclaration(
    arguments: [.name(.friend)],
    meanings: ["get", "view"],
    examples: [
      .init("vcard", "Your own."),
      .init("vcard bob@example.org", "Bob's."),
    ])

  @Argument(help: ArgumentHelp("Whose card; nobody's: yours.", valueName: "jid"), completion: .declared)
  package var address: String?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let named = if let address { try await context.address(address).bare } else { nil as JID? }
    let session = try await context.session()
    let jid = named ?? session.identity.account
    let isOwn = jid == session.identity.account
    guard let card = try await session.vCard(of: isOwn ? nil : jid, timeout: context.timeout) else {
      let typed = context.origin == .shell ? "jackdaw vcard" : "/vcard"
      throw FeatureError(
        .notFound,
        isOwn
          ? "You have no vCard yet. '\(typed) set' makes one." : "\(jid) has no vCard, or there is no such user.")
    }
    for property in card.properties { context.show(VCardRow(jid: jid, property)) }
    if let photo = card.photo { context.show(VCardRow(jid: jid, photo)) }
  }
}

/// `vcard set`: changes one field.
package struct VCardSetCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change a field of your own vCard; an empty value takes it away.",
    discussion: """
      Everybody can read it. The fields are fn (the full name), n, nickname, email, tel, adr, org, title, role, bday, url, \
      jid and desc; email.home, tel.cell, adr.work and the like are kinds of them. The parts of some are separated by \
      semicolons: n is family;given;middle;prefix;suffix, adr is po box;extension;street;place;region;code;country, and \
      org is name;unit. The rest of the card stays as it is.
      """)
  package static let declaration = CommandDeclaration(
    arguments: [.word(.words(fields)), .text(.nothing)],
    meanings: [.init("nick", adding: ["nickname"]), .init("setnick", adding: ["nickname"]), "edit"],
    examples: [
      .init("vcard set nickname Al", "What to be called."),
      .init("vcard set email.home al@example.org", "An address."),
    ])

  /// `email`, `email.home` …
  private static var fields: [String] {
    VCard.Field.allCases.flatMap { field in [field.rawValue] + field.uses.map { "\(field.rawValue).\($0)" } }
  }

  @Argument(help: "What to change.", completion: .list(fields))
  package var field: String

  @Argument(help: "What it is to be.", completion: .list([]))
  package var value: [String]

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let edit = try VCardEdit(field, value.joined(separator: " "))
    let session = try await context.session()
    try await session.features[VCardTemp.self].change(edit)
    context.show(VCardChangeRow(edit))
  }
}
