// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// Which commands are run here.
extension AgentServer {
  /// A command that may be run.
  struct Admission {
    var request: CommandTable.ShellRequest
    /// Its words: `friends add`.
    var name: String
    var settings: Settings
    /// Those that it works with.
    var accounts: [Account]
    var caller: Caller
  }

  /// Looks whether a command line comes to the same here as in its own process.
  /// - Throws: ``AgentLanguage/Failure`` `declined` where it does not, or nobody knows.
  func admit(_ run: RunRequest) async throws(AgentLanguage.Failure) -> Admission {
    let request: CommandTable.ShellRequest
    var settings: Settings
    do throws(CommandFailure) {
      request = try host.table.parse(shell: run.words, after: &message)
      guard let options = request.shared else { throw Self.ownAffair }
      settings = try SettingsReader(options: options, environment: run.caller.environment).settings()
    } catch {
      // What is wrong with it is told where it was typed.
      throw AgentLanguage.Failure(AgentLanguage.Failure.declined, error.text)
    }
    let name: String
    switch request {
    case .command(let command, let words):
      guard !type(of: command).declaration.runsApart else { throw Self.declined("'\(words)' runs in its own process.") }
      name = words
    case .start where !run.isInputTerminal: name = "run"
    case .start, .text, .completion: throw Self.declined("It needs no session.")
    }
    if let account = run.account {
      guard let only = settings.only(account) else { throw Self.declined("It is not for that account.") }
      settings = only
    }
    let accounts = try hosted(request, settings, run.caller)
    guard run.caller.environment["TZ"] == parts.environment["TZ"] else {
      throw Self.declined("Its time zone is another.")
    }
    guard !settings.logsXML, !settings.isVerbose, !settings.keepsNothing else {
      throw Self.declined("It asks for a connection of its own.")
    }
    for account in accounts {
      guard await isOnline(account) else { throw Self.declined("There is no connection at present.") }
    }
    return Admission(request: request, name: name, settings: settings, accounts: accounts, caller: run.caller)
  }

  /// The sessions that a command works with.
  /// - Throws: ``AgentLanguage/Failure`` `declined` where this process has not all of them, or not as the command would have made them.
  private func hosted(
    _ request: CommandTable.ShellRequest, _ settings: Settings, _ caller: Caller
  ) throws(AgentLanguage.Failure) -> [Account] {
    guard let first = settings.chosenAccount else { throw Self.declined("No account was chosen.") }
    let isForOne =
      if case .command(let command, _) = request { type(of: command).declaration.accounts == .one } else { false }
    // It is told why that cannot be where it was typed.
    if isForOne, settings.areSeveralGiven { throw Self.declined("It is for one account.") }
    var accounts: [Account] = []
    let all = [(first, settings)] + (isForOne ? [] : settings.otherAccounts.map { ($0.jid, settings.using($0)) })
    for (jid, settings) in all {
      guard let account = host.hosting.first(where: { $0.jid.bare == jid.bare }) else {
        throw Self.declined("This Jackdaw has no session of that account.")
      }
      guard account.isAlike(settings, of: caller) else { throw Self.declined("Its settings are others.") }
      accounts.append(account)
    }
    return accounts
  }

  private static let ownAffair = CommandFailure(.usage, "usage", "There is nothing to run.")

  private static func declined(_ reason: String) -> AgentLanguage.Failure {
    AgentLanguage.Failure(AgentLanguage.Failure.declined, reason)
  }

  /// A command as a method: its words are the method's name, what follows them comes as parameters.
  /// - Parameter account: the socket's, where none is named.
  /// - Throws: ``AgentLanguage/Failure``
  func admit(
    method: String, _ parameters: JSONValue, account door: Account?
  ) async throws(AgentLanguage.Failure) -> Admission {
    let list = parameters.elements.isEmpty ? parameters["arguments"].elements : parameters.elements
    let words = list.compactMap(\.text)
    guard words.count == list.count else {
      throw AgentLanguage.Failure(AgentLanguage.Failure.badParameters, "The arguments of a command are texts.")
    }
    var account = door
    if let name = parameters["account"].text {
      account = host.hosting.first { $0.jid.bare.description == name || $0.name == name }
      guard account != nil else {
        throw AgentLanguage.Failure(AgentLanguage.Failure.badParameters, "There is no session of '\(name)' here.")
      }
    }
    let path = method.split(separator: " ").map(String.init)
    guard let account, let first = path.first, host.table.command(named: first, for: .shell) != nil else {
      throw AgentLanguage.Failure(AgentLanguage.Failure.unknownMethod, "There is no command '\(method)'.")
    }
    let request: CommandTable.ShellRequest
    do throws(CommandFailure) {
      request = try host.table.parse(shell: path + words, after: &message)
    } catch {
      throw AgentLanguage.Failure(Int(error.code.value), error.text)
    }
    guard case .command(let command, let name) = request, !type(of: command).declaration.runsApart else {
      throw AgentLanguage.Failure(AgentLanguage.Failure.unknownMethod, "'\(method)' cannot be run in a session.")
    }
    var settings = account.settings
    settings.isJSON = true
    (settings.isQuiet, settings.isVerbose, settings.logsXML) = (false, false, false)
    do throws(CommandFailure) {
      if let timeout = try SettingsReader.timeout(ofLine: command.shared) { settings.timeout = timeout }
    } catch {
      throw AgentLanguage.Failure(Int(error.code.value), error.text)
    }
    return Admission(
      request: request, name: name, settings: settings, accounts: [account],
      caller: Caller(directory: "/", environment: parts.environment))
  }

  /// A log-in that is under way is waited for.
  private func isOnline(_ account: Account) async -> Bool {
    if account.session?.isOnline == true { return true }
    guard account.connectionState == .connecting else { return false }
    return (try? await account.onlineSoon(within: CommandLimits.agentFarewell)) != nil
  }
}

extension Account {
  /// Whether a command with these settings would have connected as this account's session has, and with the same store.
  func isAlike(_ other: Settings, of caller: Caller) -> Bool {
    other.server == settings.server && other.tls == settings.tls && other.bindsChannel == settings.bindsChannel
      && other.caFile.map(caller.path) == settings.caFile.map(Configuration.Account.absolute)
      && other.dataFolder.map(caller.path) == settings.dataFolder.map(Configuration.Account.absolute)
      && other.configurationPath.map { $0.hasPrefix("/") } ?? true
  }
}
