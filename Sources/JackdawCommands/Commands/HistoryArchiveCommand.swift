// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
package import JackdawSession

/// `history archive`: what the server keeps.
package struct HistoryArchiveCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "archive", abstract: "Show or set what your server keeps of what is said.",
    discussion: """
      'always' keeps every message, 'never' none, 'roster' those to and from your contacts. What the server has by now stays there. \
      What it does not keep reaches no device of yours that was away.
      """)
  package static let declaration = CommandDeclaration(
    arguments: [.word(.words(ArchivePreferences.Policy.allCases.map(\.rawValue)))],
    meanings: ["prefs"],
    examples: [
      .init("history archive", "What your server keeps."),
      .init("history archive roster", "Let it keep only what you say with friends."),
    ])

  @Argument(help: ArgumentHelp("always, never or roster; nothing: show it.", valueName: "policy"))
  package var policy: ArchivePreferences.Policy?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let archive = try await context.session().features[ArchivePreferences.self]
    let preferences = if let policy { try await archive.set(policy) } else { try await archive.read() }
    context.show(ArchivePreferencesRow(preferences: preferences))
  }
}

extension ArchivePreferences.Policy: ExpressibleByArgument {}

/// What the server keeps.
package struct ArchivePreferencesRow: CommandRow {
  /// By its own word.
  package var preferences: ArchivePreferences.Preferences

  package var cells: [Cell] {
    let policy =
      switch preferences.policy {
      case .always: "Your server keeps every message."
      case .never: "Your server keeps no message."
      case .roster: "Your server keeps messages to and from your contacts."
      }
    let always = Self.list("Always", preferences.always)
    return [Cell([policy, always, Self.list("Never", preferences.never)].compactMap { $0 }.joined(separator: " "))]
  }

  private static func list(_ word: String, _ jids: [String]) -> String? {
    jids.isEmpty ? nil : "\(word): \(jids.joined(separator: ", "))."
  }

  private enum CodingKeys: String, CodingKey { case policy, always, never }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(preferences.policy.rawValue, forKey: .policy)
    try container.encode(preferences.always, forKey: .always)
    try container.encode(preferences.never, forKey: .never)
  }
}
