// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawHosts
package import JackdawLoop
package import JackdawProtocol
package import JackdawSession
package import JackdawTransport

/// What this run works with: the command line over the environment over the configuration file.
package struct Settings: Sendable {
  /// `--color`: when text is coloured; `auto` leaves it to the stream and the environment.
  package enum ColorChoice: String, Sendable { case auto, always, never }

  /// How to connect, as far as options and environment say it, and not the configuration file: what is stored with a new account.
  package struct Given: Sendable, Equatable {
    /// `host` or `host:port`, as written.
    package var server: String?
    package var tls: ConnectionPlan.TLSMode?
    /// As written: from the folder that the program was started in.
    package var caFile: String?
  }

  /// The account's name in the configuration file, nil when it is not from there.
  package var accountName: String?
  /// The account to log in with; nil when none is configured or named.
  package var chosenAccount: JID?
  /// The other accounts that were chosen beside that one.
  package var otherAccounts: [Configuration.Account]
  /// Several were named for this run, and not merely in the configuration file.
  package var areSeveralGiven: Bool
  /// The accounts that were chosen have a run each, and this is one of them.
  package var isOneOfSeveral = false
  /// All that are configured: for the prompt, where none was chosen.
  package var configuredAccounts: [Configuration.Account]
  package var password: PasswordSource?
  /// What else the password may be by now; nil: nothing, or it comes from elsewhere than the configuration file.
  package var newPassword: String?
  /// What is kept of the account's secrets; nil: nothing was said of it.
  package var store: Configuration.SecretStore?
  /// Tells one text of the configuration file from the next; nil: there is no such file.
  package var configurationStamp: String?
  package var server: HostPort?
  package var tls: ConnectionPlan.TLSMode
  package var caFile: String?
  /// What of these three was given for this run.
  package var given: Given
  /// The first of the options that are for one account alone, of how to connect and of the password, that was given, if only by its
  /// variable; nil: none was.
  package var optionForOneAccount: String?
  /// Whether log-ins are bound to the TLS connection where both sides can.
  package var bindsChannel: Bool
  package var timeout: Duration
  /// Where databases and history are; nil: nothing says where (no `HOME`), and nothing is kept.
  package var dataFolder: String?
  /// What the process was started with, but for the password.
  package var environment: EnvironmentVariables
  /// nil: nothing says where (no `HOME`), and there is no configuration.
  package var configurationPath: String?
  /// Whether the user has named it, and there is no such file.
  package var isNamedConfigurationMissing: Bool
  /// What `~` means; nil: nothing.
  package var home: String?
  package var isJSON: Bool
  package var color: ColorChoice
  package var isQuiet: Bool
  package var isVerbose: Bool
  package var logsXML: Bool
  /// What is said in this run is removed once it has been shown.
  package var keepsNothing: Bool
  package var showsPresence: Bool
  /// What becomes of our entry when somebody removes us.
  package var whenRemoved: WhenRemoved
  /// What is kept of what was said.
  package var history: HistorySettings
  /// What people are told of what the user does with their messages.
  package var discloses: Set<Disclosure>
  /// How the prompt calls its user.
  package var notifications: NotificationSettings
  /// How long nobody presses a key at the prompt before they are shown as away; nil: that is never done.
  package var idleAfter: Duration?
  /// The terminal's title says whom one talks to at the prompt.
  package var setsTitle: Bool
  /// How text looks where it is coloured.
  package var looks: LookSettings
  /// Texts are shown as their authors styled them.
  package var isStyling: Bool
  /// Commands go through no other process, and no others through this one.
  package var isWithoutAgent: Bool
  /// The first command starts an agent (`agent = true`), which ends after so long without one; nil: none is started.
  package var agentIdle: Duration?
  /// The options that an agent which is started for this run is given (``SharedOptions/wordsForAgent``): each with its value.
  var wordsForAgent: [[String]]

  /// ``wordsForAgent``, for some of the chosen accounts alone.
  /// - Parameter names: as the configuration file has them.
  func wordsForAgent(of names: [String]) -> [[String]] {
    names.map { ["--account", $0] } + wordsForAgent.filter { $0.first != "--account" }
  }

  /// Whether what was asked for is no other Jackdaw's to do: it shows its own connection, or keeps nothing.
  package var needsOwnSession: Bool { logsXML || isVerbose || keepsNothing }

  /// The configured accounts' names, to name them when none was chosen.
  package var accountNames: [String] { configuredAccounts.map(\.name) }

  /// What the configured accounts are called, by their bare addresses: of several names of one, that by which it was chosen.
  package var namesByAccount: [JID: String] {
    let first = accountName.flatMap { name in chosenAccount.map { ($0.bare, name) } }
    let others = (otherAccounts + configuredAccounts).map { ($0.jid.bare, $0.name) }
    return Dictionary((first.map { [$0] } ?? []) + others, uniquingKeysWith: { first, _ in first })
  }

  /// The configuration file.
  var configurationFile: ConfigurationFile { ConfigurationFile(path: configurationPath ?? "", home: home) }

  /// The account, where one is needed.
  /// - Throws: ``CommandFailure`` with code 78.
  package func account() throws(CommandFailure) -> JID {
    if let chosenAccount { return chosenAccount }
    guard let configurationPath else {
      throw CommandFailure(
        .configuration, "no-account",
        "There is no account, and HOME is not set. Use --jid or JACKDAW_JID, or name a configuration with --config.")
    }
    if !accountNames.isEmpty {
      throw CommandFailure(
        .configuration, "no-account",
        "There are several accounts: choose one of \(accountNames.joined(separator: ", ")) with --account, or set default_account in \(configurationPath)."
      )
    }
    if isNamedConfigurationMissing {
      throw CommandFailure(
        .configuration, "no-account",
        "There is no file \(configurationPath), which was named as the configuration. Add an account there with 'jackdaw account add you@example.org', or use --jid."
      )
    }
    throw CommandFailure(
      .configuration, "no-account",
      "There is no account in \(configurationPath). Add one with 'jackdaw account add you@example.org', or use --jid.")
  }

  /// The same with all configured accounts where none was chosen and there are several; each address once, as two sessions of one account
  /// in one program would show everything twice.
  /// - Throws: ``CommandFailure`` with code 64 where something was given that is for one account: it would be passed over.
  func withAllAccounts() throws(CommandFailure) -> Settings {
    guard chosenAccount == nil, let first = configuredAccounts.first else { return self }
    if let optionForOneAccount {
      throw CommandFailure(
        .usage, "usage",
        "\(optionForOneAccount), or its variable, is for one account: choose one of \(accountNames.joined(separator: ", ")) with --account."
      )
    }
    var settings = using(first)
    var seen: Set<JID> = [first.jid.bare]
    settings.otherAccounts = configuredAccounts.filter { seen.insert($0.jid.bare).inserted }
    return settings
  }

  /// The same for an account of which the configuration file may know nothing.
  func using(_ account: Configuration.Account) -> Settings {
    var settings = self
    settings.accountName = account.name
    settings.chosenAccount = account.jid
    settings.password = account.password
    settings.newPassword = account.newPassword
    settings.store = account.store
    settings.server = account.server.flatMap { HostPort($0) }
    settings.tls = account.tls ?? .auto
    settings.caFile = account.caFile.map(Configuration.Account.absolute)
    settings.bindsChannel = account.bindsChannel
    settings.otherAccounts = []
    return settings
  }

  /// All that were chosen, the first of them first.
  package var chosenAccounts: [JID] { (chosenAccount.map { [$0] } ?? []) + otherAccounts.map(\.jid) }
  /// What is printed says of which account it is.
  package var namesAccounts: Bool { isOneOfSeveral || !otherAccounts.isEmpty }

  /// The same for one of several chosen accounts.
  /// - Returns: nil: it is none of them.
  package func only(_ account: JID) -> Settings? {
    var settings = self
    if chosenAccount?.bare != account.bare {
      guard let entry = otherAccounts.first(where: { $0.jid.bare == account.bare }) else { return nil }
      settings = using(entry)
    }
    settings.otherAccounts = []
    settings.areSeveralGiven = false
    settings.isOneOfSeveral = true
    return settings
  }

  /// Which secrets of the account's log-ins later runs are to have. The keys of a password that is not in the file would bring to the disk
  /// what its owner keeps elsewhere.
  var keptSecrets: KeptSecrets {
    switch (store, password, configurationStamp) {
    case (.some(.none), _, _): .nothing
    case (.keys, _, _): .keysAlone
    case (_, .inline, let stamp?): .keys(origin: stamp)
    case (.password, _, _), (nil, _, _): .token
    }
  }

  /// Whether later runs are to have what resumes a TLS connection. An account that no file names leaves nothing of it on the disk.
  var keepsTickets: Bool { accountName != nil && store != Configuration.SecretStore.none }

  /// How to connect for `account`.
  package func plan(for account: JID) -> ConnectionPlan {
    ConnectionPlan(
      domain: account.asciiDomain, server: server, tls: tls, caFile: caFile, timeout: timeout
    )
  }
}
