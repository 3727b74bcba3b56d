// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// Which accounts were chosen: by options, the environment or the configuration file, or as there is no other.
struct AccountChoice {
  /// nil for both: there is none, or several and nobody chose. An address alone is none of the configuration.
  typealias Chosen = (entry: Configuration.Account?, jid: JID?)

  private let options: SharedOptions
  private let environment: EnvironmentVariables
  private let configuration: Configuration
  private let path: String?

  /// - Parameter path: where the configuration is from; nil: there is no place for one.
  init(
    _ options: SharedOptions, _ environment: EnvironmentVariables, from configuration: Configuration, at path: String?
  ) {
    self.options = options
    self.environment = environment
    self.configuration = configuration
    self.path = path
  }

  /// Those that were chosen, the first of them first; none where there are none, or several and nobody chose.
  /// - Throws: ``CommandFailure``: 64 for options that exclude each other, 65 for a malformed address, 78 for an account that is not there.
  func accounts() throws(CommandFailure) -> [Chosen] {
    if !options.account.isEmpty {
      if options.jid != nil { throw CommandFailure(.usage, "usage", "Use --account or --jid, not both.") }
      return try named(options.account)
    }
    if let text = options.jid { return [(nil, try address(text, "--jid"))] }
    if let names = environment.given("JACKDAW_ACCOUNT") { return try named([names]) }
    if let text = environment.given("JACKDAW_JID") { return [(nil, try address(text, "JACKDAW_JID"))] }
    if !configuration.defaultAccounts.isEmpty { return try named(configuration.defaultAccounts) }
    guard let only = configuration.accounts.first, configuration.accounts.count == 1 else { return [] }
    return [(only, only.jid)]
  }

  /// Each once.
  /// - Parameter names: of accounts; with commas in it one is several, unless an account is called so.
  private func named(_ names: [String]) throws(CommandFailure) -> [Chosen] {
    let all = names.flatMap { name in
      guard configuration[name] == nil else { return [name] }
      let several = name.split(separator: ",").map { String($0.trimmed) }
      return several.isEmpty ? [name] : several
    }
    var chosen: [Chosen] = []
    for name in all {
      let one = try named(name)
      if !chosen.contains(where: { $0.jid?.bare == one.jid?.bare }) { chosen.append(one) }
    }
    return chosen
  }

  private func named(_ name: String) throws(CommandFailure) -> Chosen {
    guard let entry = configuration[name] else {
      let names = configuration.accounts.map(\.name)
      guard let path else { throw ConfigurationFile.noFile(with: name) }
      let isMissing = Self.isNamedFileMissing(options, environment, configuration)
      let none = isMissing ? "there is no such file" : "it has none"
      let known = names.isEmpty ? none : "it has \(names.joined(separator: ", "))"
      throw CommandFailure(.configuration, "no-account", "There is no account '\(name)' in \(path): \(known).")
    }
    return (entry, entry.jid)
  }

  /// Whether the user has named a configuration file that is not there.
  static func isNamedFileMissing(
    _ options: SharedOptions, _ environment: EnvironmentVariables, _ configuration: Configuration
  ) -> Bool {
    configuration.stamp == nil && (options.config ?? environment.given("JACKDAW_CONFIG")) != nil
  }

  private func address(_ text: String, _ origin: String) throws(CommandFailure) -> JID {
    do {
      let jid = try JID(text).folded
      if jid.localpart != nil { return jid }
    } catch {
      throw CommandFailure(.badInput, "jid-malformed", "\(origin): \(error)")
    }
    throw CommandFailure(
      .badInput, "jid-malformed", "\(origin): '\(text)' is a server. Did you mean somebody like you@\(text)?")
  }
}
