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
    guard !run.words.contains(where: { Self.namesOwnFile($0, of: run.caller) }) else {
      throw Self.declined("It names a file that only its own process has.")
    }
    let request: CommandTable.ShellRequest
    var settings: Settings
    do throws(CommandFailure) {
      request = try host.table.parse(shell: run.words, isInputTerminal: run.isInputTerminal, after: &message)
      guard let options = request.shared else { throw Self.ownAffair }
      settings = try SettingsReader(
        options: options, environment: run.caller.environment, directory: run.caller.directory
      ).settings()
    } catch {
      // What is wrong with it is told where it was typed.
      throw AgentLanguage.Failure(AgentLanguage.Failure.declined, error.text)
    }
    let name: String
    switch request {
    case .command(let command, let words):
      guard !type(of: command).declaration.runsApart, !command.runsProgram else {
        throw Self.declined("'\(words)' runs in its own process.")
      }
      name = words
    case .start where !run.isInputTerminal: name = "run"
    case .start, .text, .completion: throw Self.declined("It needs no session.")
    }
    if let account = run.account {
      guard let only = settings.only(account) else { throw Self.declined("It is not for that account.") }
      settings = only
    }
    let accounts = try hosted(request, settings)
    guard run.caller.environment["TZ"] == parts.environment["TZ"] else {
      throw Self.declined("Its time zone is another.")
    }
    guard !settings.needsOwnSession else {
      throw Self.declined("It asks for a connection of its own.")
    }
    guard await areOnline(accounts, for: request, within: settings.timeout) else {
      throw Self.declined("There is no connection at present.")
    }
    return Admission(request: request, name: name, settings: settings, accounts: accounts, caller: run.caller)
  }

  /// Whether a word, or the value in `--option=value`, may be such a path. Where it is none, the command only runs by itself.
  private static func namesOwnFile(_ word: String, of caller: Caller) -> Bool {
    if caller.isOwn(word) { return true }
    guard let sign = word.firstIndex(of: "=") else { return false }
    return caller.isOwn(String(word[word.index(after: sign)...]))
  }

  /// The sessions that a command works with.
  /// - Throws: ``AgentLanguage/Failure`` `declined` where this process has not all of them, or not as the command would have made them.
  private func hosted(
    _ request: CommandTable.ShellRequest, _ settings: Settings
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
      guard account.isAlike(settings) else { throw Self.declined("Its settings are others.") }
      guard jid.resource == nil || jid.resource == account.jid.resource else {
        throw Self.declined("It names another resource.")
      }
      accounts.append(account)
    }
    return accounts
  }

  private static let ownAffair = CommandFailure(.usage, "usage", "There is nothing to run.")

  private static func declined(_ reason: String) -> AgentLanguage.Failure {
    AgentLanguage.Failure(AgentLanguage.Failure.declined, reason)
  }

  /// A command as a method: its words are the method's name, what follows them comes as parameters.
  /// - Parameter door: the socket's account, which is meant where none is named.
  /// - Throws: ``AgentLanguage/Failure``
  func admit(
    method: String, _ parameters: JSONValue, account door: Account?
  ) async throws(AgentLanguage.Failure) -> Admission {
    let words = try Self.arguments(parameters)
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
      throw failure(error, of: nil, account)
    }
    guard case .command(let command, let name) = request, !type(of: command).declaration.runsApart else {
      throw AgentLanguage.Failure(AgentLanguage.Failure.unknownMethod, "'\(method)' cannot be run in a session.")
    }
    guard !command.runsProgram else {
      let text = "'\(method)' runs programs in a process of its own alone: here what arrives comes as events."
      throw failure(CommandFailure(.usage, "usage", text), of: name, account)
    }
    // What this process was told of other accounts is nothing to a command for one.
    var settings = account.settings.only(account.jid) ?? account.settings
    settings.isOneOfSeveral = false
    settings.isJSON = true
    (settings.isQuiet, settings.isVerbose, settings.logsXML) = (false, false, false)
    do throws(CommandFailure) {
      try command.shared.refuseSessionOptions()
      if let timeout = try SettingsReader.timeout(ofLine: command.shared) { settings.timeout = timeout }
    } catch {
      throw failure(error, of: name, account)
    }
    return Admission(
      request: request, name: name, settings: settings, accounts: [account],
      caller: Caller(directory: "/", environment: parts.environment))
  }

  /// What a method comes to that fails before it is begun: told as one that fails later.
  private func failure(_ failure: CommandFailure, of command: String?, _ account: Account) -> AgentLanguage.Failure {
    var failure = failure
    failure.command = failure.command ?? command
    let line = try? failure.jsonLine(at: host.now(), account: account.jid.bare.description)
    // Without its line feed it is a value in another line.
    return AgentLanguage.Failure(Int(failure.code.value), failure.text, data: line.map { Array($0.dropLast()) })
  }

  /// The words behind a command's, where all parameters are of their types.
  /// - Throws: ``AgentLanguage/Failure`` `badParameters`
  private static func arguments(_ parameters: JSONValue) throws(AgentLanguage.Failure) -> [String] {
    func wrong(_ text: String) -> AgentLanguage.Failure { .init(AgentLanguage.Failure.badParameters, text) }
    switch parameters {
    case .null, .array, .object: break
    case .bool, .number, .string: throw wrong("'params' is neither a list nor an object.")
    }
    for key in ["account", "stdin"] where parameters[key] != .null && parameters[key].text == nil {
      throw wrong("'\(key)' is not a text.")
    }
    for key in ["stream", "confirm"] where parameters[key] != .null && parameters[key].isTrue == nil {
      throw wrong("'\(key)' is neither true nor false.")
    }
    let list: [JSONValue]
    switch parameters["arguments"] {
    case .null: list = parameters.elements
    case .array(let elements): list = elements
    case .bool, .number, .string, .object: throw wrong("'arguments' is not a list.")
    }
    let words = list.compactMap(\.text)
    guard words.count == list.count else { throw wrong("The arguments of a command are texts.") }
    return words
  }

  /// A log-in that is under way is waited for, so that the client hears of it while it still waits; of several accounts whose commands
  /// can go each its own way only where each is asked for by itself.
  /// - Parameter patience: the client's.
  private func areOnline(
    _ accounts: [Account], for request: CommandTable.ShellRequest, within patience: Duration
  ) async -> Bool {
    let isForEach =
      if case .command(let command, _) = request { type(of: command).declaration.accounts == .each } else { false }
    let deadline = host.clock.now + min(CommandLimits.agentFarewell, patience / 2)
    for account in accounts where account.session?.isOnline != true {
      let left = deadline - host.clock.now
      guard account.connectionState == .connecting, left > .zero, !isForEach || accounts.count == 1,
        (try? await account.onlineSoon(within: left)) != nil
      else { return false }
    }
    return true
  }
}

extension Account {
  /// Whether a command with these settings would have connected as this account's session has, and with the same store.
  func isAlike(_ other: Settings) -> Bool {
    other.server == settings.server && other.tls == settings.tls && other.bindsChannel == settings.bindsChannel
      && other.caFile == settings.caFile && other.dataFolder == settings.dataFolder
      && other.configurationPath.map { $0.hasPrefix("/") } ?? true
  }
}
