// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import Glibc
import JackdawLoop
import JackdawProtocol
import JackdawTransport

/// `account add`: writes one into the configuration file.
package struct AccountAddCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add an account to the configuration file.",
    discussion: """
      --server, --tls, --ca-file and --password-file become part of it. Without --password-file and --password-command \
      the password is taken from JACKDAW_PASSWORD, else asked for once, without echo; it is written into the file, which \
      only you can read.
      """)
  package static let declaration = CommandDeclaration(
    place: .shell, arguments: [.word(.nothing)], options: ["--name": .nothing, "--password-command": .nothing],
    meanings: ["login", "connect", "signin", "new"],
    examples: [
      .init("account add you@example.org", "Ask for the password, and keep it in the file."),
      .init(
        "account add you@example.org --name home --password-command 'pass show xmpp'",
        "Call it home; a program gives the password."),
    ])

  @Argument(help: ArgumentHelp("The account's address.", valueName: "jid"))
  package var address: String

  @Option(help: ArgumentHelp("What to call it; the address's domain otherwise.", valueName: "name"))
  package var name: String?

  @Option(help: ArgumentHelp("A program that prints the password; run without a shell.", valueName: "program"))
  package var passwordCommand: String?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package func validate() throws {
    if name?.isEmpty ?? false { throw ValidationError("'--name' is empty") }
    if passwordCommand != nil, shared.passwordFile != nil {
      throw ValidationError("'--password-command' and '--password-file' exclude each other")
    }
  }

  @Client package func run(in context: CommandContext) async throws {
    let jid = try JID(address)
    guard jid.localpart != nil else {
      throw CommandFailure(.badInput, "jid-malformed", "'\(address)' names no user: you@\(address) is meant?")
    }
    let file = context.application.settings.configurationFile
    let taken = try file.load()
    let name = name ?? Self.freeName(for: jid, taken)
    if taken[name] != nil {
      throw CommandFailure(.configuration, "conflict", "there is an account '\(name)' already: choose another --name")
    }
    let account = Configuration.Account(
      name: name, jid: jid, server: shared.server, tls: shared.tls.flatMap { ConnectionPlan.TLSMode(rawValue: $0) },
      caFile: shared.caFile.map(Self.absolute), password: try await password(jid, context))
    try file.add(account)
    context.show(AccountRow(account: account, isDefault: taken.accounts.isEmpty, change: "added"))
  }

  @Client private func password(_ jid: JID, _ context: CommandContext) async throws -> PasswordSource? {
    if let passwordCommand {
      let words = try ShellWords.split(passwordCommand)
      if words.isEmpty { throw CommandFailure(.usage, "usage", "'--password-command' names no program") }
      return .command(words)
    }
    if let path = shared.passwordFile { return .file(Self.absolute(path)) }
    if case .environment(let password) = context.application.settings.password { return .inline(password) }
    guard let terminal = context.application.secrets else { return nil }
    let password = try await terminal.askSecret("Password for \(jid.bare) (empty: ask each time): ")
    return password.isEmpty ? nil : .inline(password)
  }

  /// The file is read from other folders than this one.
  static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }

  static func freeName(for jid: JID, _ taken: Configuration) -> String {
    taken[jid.domain] == nil ? jid.domain : jid.bare.description
  }
}
