// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawCommands
import JackdawLoop
import JackdawProtocol
import JackdawTerminal

/// What the shell's words ask for, on its way to the process that does it: another Jackdaw of the account's, if one runs, else this one.
@Client struct Errand {
  /// What became of it.
  enum Result {
    case ended(ExitCode)
    /// This process is to do it; or the rest of it, which another one began that has ended.
    case left(CommandTable.ShellRequest, isRest: Bool)
  }

  private let words: [String]
  private let environment: Environment
  private let pager: Pager
  /// How long the one that is asked before anything is parsed has to begin it.
  private let patience: Duration
  /// What was asked, and has not answered yet.
  private var relay: CommandRelay?
  private var outcome: AgentRelay.Outcome?

  init(_ words: [String], _ environment: Environment, _ pager: Pager) {
    self.words = words
    self.environment = environment
    self.pager = pager
    let timeout = SettingsReader.likelyTimeout(words, environment.variables)
    patience = min(Self.longestPatience, timeout ?? Self.longestPatience)
  }

  // MARK: Before anything is parsed

  /// Asks the one Jackdaw that runs, if there is one: whether it is the account's own is for it to say.
  /// - Returns: the exit code, where it ran the command to its end.
  mutating func attempt() async -> ExitCode? {
    guard mayAsk, let folder = AgentFolder(environment: environment.variables, dataFolder: dataFolder) else {
      return nil
    }
    let names = folder.sockets()
    guard let name = names.first, names.count == 1 else { return nil }
    let door = AgentDoor(folder: folder, name: name)
    guard let relay = CommandRelay(door, words: words, environment: environment, pager: pager) else { return nil }
    self.relay = relay
    outcome = await relay.result(within: patience)
    if case .ended(let code) = outcome { return ExitCode(value: code) }
    return nil
  }

  /// An agent that does not say so soon that it has begun may be another account's: that is looked at then.
  private static let longestPatience = Duration.seconds(1)

  private var mayAsk: Bool {
    if environment.variables["JACKDAW_NO_AGENT"]?.isEmpty == false { return false }
    guard let first = words.first else { return isatty(STDIN_FILENO) == 0 }
    let options = words.prefix { $0 != "--" }
    // What names another configuration or store is understood first, and a shell's question about a word is nobody else's. Nor
    // does an agent ask another one: the socket that it finds may be its own, which systemd listens on already.
    return !first.hasPrefix("---") && !options.contains("agent")
      && !options.contains { option in
        option == "--no-agent" || ["--config", "--data-dir"].contains { option.hasPrefix($0) }
      }
  }

  private var dataFolder: String? { SettingsReader.dataFolder(environment.variables) }

  // MARK: Once it is known what it is

  /// Has the Jackdaw of the account do it, if one runs.
  mutating func carryOut(
    _ request: CommandTable.ShellRequest, _ settings: Settings, _ composition: Composition
  ) async -> Result {
    let door = door(for: request, settings)
    // Whose Jackdaw did not begin it in time, and will not.
    var silent: AgentDoor?
    // Another account's says nothing of whether one runs, or is to run, for this one.
    if outcome == .declined, let door, door.name != relay?.door.name { (relay, outcome) = (nil, nil) }
    if outcome == nil, let relay {
      // It was asked before its account was known. What it has not begun can be taken back from it.
      let isRight = door.map { $0.name == relay.door.name } ?? false
      // It has had some of its time by now.
      outcome = isRight ? await relay.result(within: max(.zero, settings.timeout - patience)) : nil
      if outcome == nil { outcome = relay.takeBack() ? isRight ? nil : .declined : await relay.result(within: .zero) }
      if outcome == nil { silent = relay.door }
    } else if outcome == nil, let door {
      relay = CommandRelay(door, words: words, environment: environment, pager: pager)
      if relay == nil, settings.agentIdle != nil, !settings.needsOwnSession, !request.isLocal {
        await composition.application().startAgent()
        relay = CommandRelay(door, words: words, environment: environment, pager: pager)
      }
      if let relay {
        outcome = await Self.outcome(of: relay, within: settings.timeout)
        if outcome == nil { silent = relay.door }
      }
    }
    if outcome == nil || outcome == .declined,
      let code = await carryOutForEach(request, settings, besides: silent)
    {
      return .ended(code)
    }
    if silent != nil { return .ended(await composition.application().agentIsSilent()) }
    return await result(of: outcome, by: relay, request, composition)
  }

  private func result(
    of outcome: AgentRelay.Outcome?, by relay: CommandRelay?, _ request: CommandTable.ShellRequest,
    _ composition: Composition
  ) async -> Result {
    switch outcome {
    case nil, .declined?: return .left(request, isRest: false)
    case .ended(let code)?: return .ended(ExitCode(value: code))
    case .lost?: return .ended(await composition.application().agentWasLost(relay?.presented ?? []))
    case .handedOver(let handover)?:
      guard let rest = request.continued(from: handover) else { return .ended(.success) }
      return .left(rest, isRest: true)
    }
  }

  // MARK: Several accounts

  /// Has a command that is done for one account after the other done by the Jackdaw of each, where they are not all one's.
  /// - Parameter silent: one that was waited for, and is not asked again: it fails for its account alone.
  /// - Returns: the exit code of the last that failed; nil: it is no such command, or there is nobody to do it.
  private func carryOutForEach(
    _ request: CommandTable.ShellRequest, _ settings: Settings, besides silent: AgentDoor?
  ) async -> ExitCode? {
    guard case .command(let command, _) = request, !settings.otherAccounts.isEmpty else { return nil }
    guard type(of: command).declaration.accounts == .each else { return nil }
    let parts = settings.chosenAccounts.compactMap { settings.only($0) }
    guard parts.contains(where: { door(for: request, $0).map { $0.folder.isSocket($0.name) } ?? false }) else {
      return nil
    }
    var code = ExitCode.success
    for part in parts where !pager.isLeft {
      let ended = await carryOut(request, forOneOfSeveral: part, besides: silent)
      if ended == .interrupted { return ended }
      if ended != .success { code = ended }
    }
    return code
  }

  private func carryOut(
    _ request: CommandTable.ShellRequest, forOneOfSeveral settings: Settings, besides silent: AgentDoor?
  ) async -> ExitCode {
    let composition = Composition(settings: settings, environment: environment, pager: pager)
    var outcome: AgentRelay.Outcome?
    var asked: CommandRelay?
    let door = door(for: request, settings)
    if let door, door.name == silent?.name { return await composition.application().agentIsSilent() }
    if let door,
      let relay = CommandRelay(
        door, words: words, environment: environment, pager: pager, for: settings.chosenAccount)
    {
      asked = relay
      outcome = await Self.outcome(of: relay, within: settings.timeout)
      if outcome == nil { return await composition.application().agentIsSilent() }
    }
    switch await result(of: outcome, by: asked, request, composition) {
    case .ended(let code): return code
    case .left(let request, let isRest): return await composition.run(request, isRest: isRest)
    }
  }

  /// What a command comes to; what is not begun in time is taken back.
  /// - Returns: nil: it was taken back.
  private static func outcome(of relay: CommandRelay, within patience: Duration) async -> AgentRelay.Outcome? {
    if let outcome = await relay.result(within: patience) { return outcome }
    return relay.takeBack() ? nil : await relay.result(within: .zero)
  }

  /// Where the command could be done; nil: in this process alone.
  private func door(for request: CommandTable.ShellRequest, _ settings: Settings) -> AgentDoor? {
    guard !settings.isWithoutAgent, let account = settings.chosenAccount,
      let folder = AgentFolder(environment: environment.variables, dataFolder: settings.dataFolder)
    else { return nil }
    switch request {
    case .command(let command, _) where !type(of: command).declaration.runsApart: break
    case .start where isatty(STDIN_FILENO) == 0: break
    case .command, .start, .text, .completion: return nil
    }
    return AgentDoor(folder: folder, name: AgentFolder.name(of: account))
  }
}

extension CommandTable.ShellRequest {
  /// A command that needs no session.
  fileprivate var isLocal: Bool {
    if case .command(let command, _) = self { type(of: command).declaration.isLocal } else { false }
  }

  /// The rest of a command that another process has begun; nil: there is none.
  fileprivate func continued(from handover: Handover) -> Self? {
    guard case .command(let command, let name) = self, let command = command as? any ContinuableCommand else {
      return nil
    }
    return command.continued(from: handover).map { .command($0, name: name) }
  }
}
