// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol

/// `friends invite`: the link by which others add us.
package struct FriendsInviteCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "invite", abstract: "Show the link by which others add you, and its QR code.",
    discussion: "On a terminal the QR code is below the link.")
  package static let declaration = CommandDeclaration(
    meanings: ["invite", "link", "qr"],
    examples: [
      .init("friends invite", "Show your link, and its QR code.")
    ])

  @Flag(help: "Show the QR code even where stdout is not a terminal.")
  package var qr = false

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let account = try context.account().jid
    context.show(FriendsInviteRow(link: XMPPURI(account.bare, action: "subscribe"), isForced: qr))
  }
}

/// A link to us (RFC 5122, XEP-0147). JSON: `uri`.
struct FriendsInviteRow: CommandRow {
  var link: XMPPURI
  /// The QR code is shown where there is no terminal.
  var isForced: Bool

  var cells: [Cell] { [Cell(link.description)] }
  var code: ScannedText? { ScannedText(link.description, isForced: isForced) }

  private enum CodingKeys: String, CodingKey { case uri }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(link.description, forKey: .uri)
  }
}
