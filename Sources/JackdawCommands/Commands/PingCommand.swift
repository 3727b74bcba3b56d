// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
package import JackdawProtocol
import JackdawSession

/// `ping`: the time to somebody and back.
package struct PingCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "ping", abstract: "Measure the round trip to the server or to others.")
  package static let declaration = CommandDeclaration(
    arguments: [.word(.friend)],
    meanings: ["lag"],
    examples: [
      .init("ping", "Your server."),
      .init("ping bob@example.org example.org", "Others, side by side."),
    ])

  @Argument(help: ArgumentHelp("Whom to ask; nobody: your server.", valueName: "jid"), completion: .declared)
  package var addresses: [String] = []

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let jids = try await context.addresses(addresses)
    let session = try await context.session()
    let ping = session.features[Ping.self]
    if jids.isEmpty {
      let time = try await ping.ping(timeout: context.timeout)
      return context.show(PingRow(jid: try JID(session.identity.account.domain), time: time))
    }
    try await context.each(jids) { jid in
      context.show(PingRow(jid: jid, time: try await ping.ping(jid, timeout: context.timeout)))
    }
  }
}

/// One answered ping.
package struct PingRow: CommandRow {
  /// Who answered, as it was asked.
  package var jid: JID
  /// From the request to its answer.
  package var time: Duration

  private static func milliseconds(_ time: Duration) -> Double {
    let (seconds, attoseconds) = time.components
    // Microseconds are as fine as the clock of a turn is.
    return Double(seconds * 1_000_000 + attoseconds / 1_000_000_000_000) / 1_000
  }

  package var cells: [Cell] { [Cell(jid.description, .jid), Cell(Self.text(time), .number)] }

  /// `0.712 ms`
  static func text(_ time: Duration) -> String { "\(milliseconds(time)) ms" }

  private enum CodingKeys: String, CodingKey { case jid, milliseconds }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(jid.description, forKey: .jid)
    try container.encode(Self.milliseconds(time), forKey: .milliseconds)
  }
}
