// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawSession

@testable import JackdawCommands

/// A configuration that can be read means the same when the program has written it anew; one that cannot is refused by name.
enum ConfigurationProperties {
  static func check(_ input: inout FuzzInput) throws {
    let text = input.text()
    let path = "/etc/jackdaw/config.toml"
    do throws(CommandFailure) {
      let configuration = try ConfigurationParser.parse(text, path: path, home: "/home/alice")
      let written = Self.text(of: configuration)
      guard let again = try? ConfigurationParser.parse(written, path: path, home: "/home/alice") else {
        throw CommandFailure(.usage, "fuzz", "what was written cannot be read: \(written)")
      }
      guard again == configuration else {
        throw CommandFailure(.usage, "fuzz", "what was written is read differently: \(written)")
      }
    } catch {
      try require(error.code == .configuration && error.text.hasPrefix(path), "\(error)")
    }
  }

  private static func text(of configuration: Configuration) -> String {
    var text =
      configuration.defaultAccounts.isEmpty ? "" : TOMLText.defaultAccounts(configuration.defaultAccounts) + "\n"
    text += "show_presence = \(configuration.showsPresence)\nwhen_removed = \"\(configuration.whenRemoved.rawValue)\"\n"
    let history = configuration.history
    text += "history_lines = \(history.lines)\n"
    text += "retracted = \"\(history.removesRetracted ? "remove" : "keep")\"\n"
    text += "history_keep = \"\(history.days.map { "\($0)d" } ?? "all")\"\n"
    text += "history_size = \"\(history.bytes.map { "\($0 / 1_000_000)MB" } ?? "all")\"\n"
    switch history.archive {
    case .everything: text += "archive = \"all\"\n"
    case .nothing: text += "archive = \"none\"\n"
    case .days(let days): text += "archive = \"\(days)d\"\n"
    }
    return text + configuration.accounts.map(TOMLText.table).joined()
  }
}
