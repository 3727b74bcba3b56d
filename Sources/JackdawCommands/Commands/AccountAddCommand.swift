// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol

/// `account add`: writes one into the configuration file, or what is new of it, once a log-in has shown that it works.
package struct AccountAddCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add an account to the configuration file, or change its password there.",
    discussion: """
      Logs in first: where that fails, nothing is written. --server, --tls and --ca-file become part of the account, as \
      do JACKDAW_SERVER, JACKDAW_TLS and JACKDAW_CA_FILE. The password is that of --password-file, --password-command or \
      JACKDAW_PASSWORD, else it is asked for, without echo; it is written into the file, which only you can read. An \
      account that is there already gets the password and the options that are given, and keeps everything else; one \
      with a password_command or a password_file keeps that, unless another is given.

      --store keys keeps no password, but what can stand for it at this account's server (the keys of SCRAM), beside the messages; \
      --store none keeps nothing, and asks each time.
      """)
  package static let declaration = CommandDeclaration(
    place: .shell, arguments: [.word(.nothing)],
    options: [
      "--name": .nothing, "--password-command": .nothing,
      "--store": .words(Configuration.SecretStore.allCases.map(\.rawValue)),
    ],
    runsApart: true, meanings: ["login", "connect", "signin", "new"],
    examples: [
      .init("account add you@example.org", "Ask for the password, and keep it in the file."),
      .init(
        "account add you@example.org --name home --password-command 'pass show xmpp'",
        "Call it home; a program gives the password."),
      .init("account add you@example.org --store keys", "Log in without the password being written down."),
    ])

  @Argument(help: ArgumentHelp("The account's address.", valueName: "jid"))
  package var address: String

  @Option(help: ArgumentHelp("What to call it; by its address otherwise.", valueName: "name"))
  package var name: String?

  @Option(help: ArgumentHelp("A program that prints the password; run without a shell.", valueName: "program"))
  package var passwordCommand: String?

  @Option(help: ArgumentHelp("What to keep for the log-ins: password, keys or none.", valueName: "what"))
  package var store: Configuration.SecretStore?

  @Flag(help: "Do not log in to see whether it works.")
  package var noCheck = false

  @OptionGroup(title: SharedOptions.title) package var given: SharedOptions
  package init() {}

  /// The address, as programs copy it in a link (RFC 5122): an action that it names is ignored.
  private var plainAddress: String {
    guard XMPPURI.isLikely(address) else { return address }
    return (try? XMPPURI(address).jid.description) ?? String(address.dropFirst("xmpp:".count))
  }

  /// As if `--jid` named the address: nothing of another account that is the default one is to be taken for this.
  package var shared: SharedOptions {
    var shared = given
    guard let jid = try? JID(plainAddress), jid.localpart != nil else { return shared }
    shared.jid = plainAddress
    shared.account = []
    return shared
  }

  package func validate() throws {
    if name?.isEmpty ?? false { throw ValidationError("'--name' is empty") }
    if passwordCommand != nil, given.passwordFile != nil {
      throw ValidationError("use '--password-command' or '--password-file', not both")
    }
    if store == .keys, noCheck { throw ValidationError("'--store keys' has to log in: leave out '--no-check'") }
  }

  @Client package func run(in context: CommandContext) async throws {
    let jid = try JID(plainAddress).folded
    guard jid.localpart != nil else {
      throw CommandFailure(
        .badInput, "jid-malformed", "'\(plainAddress)' is a server. Did you mean somebody like you@\(plainAddress)?")
    }
    let application = context.application
    let file = application.settings.configurationFile
    try file.requirePlace()
    let taken = try file.load()
    let known = try known(jid, taken)
    var account = known ?? Configuration.Account(jid)
    if let name { account.name = name }
    if jid.resource != nil { account.jid = jid }
    account.take(application.settings.given)
    if let store { account.store = store }
    let password = AccountPassword(of: known, application: application)
    account.password = try await password.kept(password.source(command: passwordCommand))
    if noCheck {
      account = try await password.completed(account)
    } else {
      account = try await password.checked(account)
    }
    if account.store ?? .password != .password, case .inline = account.password { account.password = nil }
    // What the old one may have become is of no more use.
    if account.password != known?.password { account.newPassword = nil }
    if known == nil { try file.add(account) } else { try file.update(account) }
    let isDefault =
      taken.defaultAccounts.contains(account.name) || taken.accounts.allSatisfy { $0.name == account.name }
    context.show(AccountRow(account: account, isDefault: isDefault, change: known == nil ? "added" : "updated"))
  }

  /// The entry that is to be changed; nil: there is to be a new one.
  private func known(_ jid: JID, _ taken: Configuration) throws(CommandFailure) -> Configuration.Account? {
    guard let name else {
      if let known = taken.account(of: jid) { return known }
      guard taken[jid.bare.description] == nil else { throw conflict(jid.bare.description) }
      return nil
    }
    guard let known = taken[name] else { return nil }
    guard known.jid.bare == jid.bare else { throw conflict(name) }
    return known
  }

  private func conflict(_ name: String) -> CommandFailure {
    CommandFailure(
      .configuration, "conflict", "There is an account '\(name)' already, of another address. Choose another --name.")
  }
}

extension Configuration.SecretStore: ExpressibleByArgument {}
