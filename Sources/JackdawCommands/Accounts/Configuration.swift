// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol
package import JackdawSession
package import JackdawTransport

/// What `config.toml` says.
package struct Configuration: Sendable, Equatable {
  /// One `[accounts.NAME]`.
  package struct Account: Sendable, Equatable {
    package var name: String
    /// Whom to log in as; never a mere domain.
    package var jid: JID
    /// `server`: where to connect instead of where the JID's domain says, as written; nil: what the domain's records
    /// say.
    package var server: String?
    /// `tls`: how the connection is encrypted; nil: nothing said of it.
    package var tls: ConnectionPlan.TLSMode?
    /// `ca_file`: the path of the PEM file to trust instead of the system's certificates; nil: the system's.
    package var caFile: String?
    /// `channel_binding`: false where it is off.
    package var bindsChannel = true
    /// nil where the account has none written down, so that it is asked for or comes from the environment.
    package var password: PasswordSource?
    /// `new_password`: what the password was to become when the server did not answer; one of both is in force. Only beside a
    /// password that is written in the file.
    package var newPassword: String?
    /// `store`: what is kept of its secrets; nil: nothing said of it.
    package var store: SecretStore?
  }

  /// `store`: which of an account's secrets are kept on this machine.
  package enum SecretStore: String, Sendable, CaseIterable {
    /// The password, where it is written in the file, and what spares its use.
    case password
    /// What stands for the password at the account's server, and the password nowhere.
    case keys
    /// Nothing: no password, nothing in its place, no token.
    case none
  }

  /// Tells one text of the file from the next, and nothing of what is in it; nil: there is no file.
  package var stamp: String?
  /// `default_account`: names of ``accounts``; none where the file names none.
  package var defaultAccounts: [String]
  /// The first of ``defaultAccounts``.
  package var defaultAccount: String? { defaultAccounts.first }
  /// In the order of the file's names.
  package var accounts: [Account]
  /// Are friends' coming and going shown at the prompt?
  package var showsPresence: Bool
  /// `when_removed`: what becomes of our entry when somebody removes us.
  package var whenRemoved: WhenRemoved
  /// What is kept of what was said.
  package var history: HistorySettings
  /// `receipts`, `markers`, `typing`: what people are told of what the user does with their messages.
  package var discloses = Set(Disclosure.allCases)
  /// How the prompt calls its user.
  package var notifications = NotificationSettings()
  /// `idle_after`: how long nobody presses a key before they are shown as away; nil: that is never done.
  package var idleAfter: Duration?
  /// `title`: the terminal's title says whom one talks to at the prompt.
  package var setsTitle = true
  /// `agent`: the first command that needs a connection starts an agent that the others go through.
  package var startsAgent = false
  /// `agent_idle`: how long that one stays without a command.
  package var agentIdle = CommandLimits.agentIdle
  /// `theme` and `[colors]`: how text looks.
  package var looks = LookSettings()
  /// `styling`: texts are shown as their authors styled them (XEP-0393).
  package var isStyling = true

  package init(
    defaultAccounts: [String] = [], accounts: [Account] = [], showsPresence: Bool = true,
    whenRemoved: WhenRemoved = .keep, history: HistorySettings = HistorySettings()
  ) {
    self.defaultAccounts = defaultAccounts
    self.accounts = accounts
    self.showsPresence = showsPresence
    self.whenRemoved = whenRemoved
    self.history = history
  }

  /// The account of that name, nil when there is none.
  package subscript(_ name: String) -> Account? { accounts.first { $0.name == name } }
}

/// Where a password comes from.
package enum PasswordSource: Sendable, Equatable {
  /// Written in the configuration file.
  case inline(String)
  /// In the environment.
  case environment(String)
  /// The first line of a file.
  case file(String)
  /// The first line that a program prints; run without a shell.
  case command([String])

  /// A file as the configuration names it, which is read from other folders, too.
  /// - Returns: nil: no later process could read it, as it is a descriptor of this one: `/dev/stdin`, or what a shell makes of
  ///   `<(pass show xmpp)`.
  static func file(toKeep path: String) -> Self? {
    let path = Configuration.Account.absolute(path)
    let isDescriptor = path == "/dev/stdin" || ["/dev/fd/", "/proc/self/fd/"].contains { path.hasPrefix($0) }
    return isDescriptor ? nil : .file(path)
  }
}
