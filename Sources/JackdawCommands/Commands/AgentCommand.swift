// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `agent`: one session that other commands go through.
package struct AgentCommand: JackdawCommand {
  package static let subcommands: [any JackdawCommand.Type] = [
    AgentStartCommand.self, AgentStopCommand.self, AgentStatusCommand.self, AgentRunCommand.self,
  ]
  package static let configuration = CommandConfiguration(
    commandName: "agent", abstract: "Keep one session that all other commands go through.",
    discussion: """
      While Jackdaw runs for an account, as agent, prompt or 'listen', every other command of that account goes through its session: \
      nobody logs in again, and 'jackdaw status away' sets the status of the running one. '--no-agent' runs a command \
      without it. With 'agent = true' in the configuration the first command starts one.
      """,
    subcommands: subcommands)
  package static let declaration = CommandDeclaration(
    bare: .command(AgentStatusCommand.self), meanings: ["daemon", "server", "background", "master"])

  package init() {}
}

/// `agent start`: in the background.
package struct AgentStartCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "start", abstract: "Start the agent in the background.",
    discussion: "It ends with 'agent stop', or, with '--idle', after so many seconds without a command.")
  package static let declaration = CommandDeclaration(
    place: .shell, options: ["--idle": .nothing], runsApart: true, accounts: .all, meanings: ["launch", "up"],
    examples: [
      .init("agent start", "Log in, and stay online for the commands to come."),
      .init("agent start --idle 600", "End after ten minutes without one."),
    ])

  @Option(help: ArgumentHelp("End after so long without a client.", valueName: "seconds"))
  package var idle: Double?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package func validate() throws { try AgentRunCommand.check(idle) }

  @Client package func run(in context: CommandContext) async throws {
    try await context.application.startAgent(idle: idle.map { .seconds($0) })
    try await AgentStatusCommand.showAll(in: context)
  }
}

/// `agent stop`.
package struct AgentStopCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "stop", abstract: "End the agent.",
    discussion: "Commands that go through it have some seconds to end; 'listen' goes on by itself.")
  package static let declaration = CommandDeclaration(
    place: .shell, runsApart: true, accounts: .all, meanings: ["quit", "end", "kill", "down"],
    examples: [.init("agent stop", "Let it leave the server.")])

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    // Asked before any ends: one may have the sockets of several, and each may have one of its own.
    var found: [JID: Result<Int, any Error>] = [:]
    for account in try context.application.chosenAccounts() {
      do {
        let inquiry = try AgentStatusCommand.inquiry(of: account, in: context)
        found[account.jid.bare] = .success(try await inquiry.status(within: context.timeout).process)
      } catch {
        found[account.jid.bare] = .failure(error)
      }
    }
    let processes = found
    var ended: Set<Int> = []
    try await AgentStatusCommand.each(in: context) { account in
      guard let process = try processes[account.jid.bare]?.get(), ended.insert(process).inserted else { return }
      try await AgentStatusCommand.inquiry(of: account, in: context).stop(within: context.timeout)
    }
  }
}

/// `agent status`.
package struct AgentStatusCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show what other commands go through.")
  package static let declaration = CommandDeclaration(
    place: .shell, runsApart: true, accounts: .all, meanings: ["show", "info", "ps"],
    examples: [.init("agent status", "Its process, and what it does.")])

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws { try await Self.showAll(in: context) }

  /// Shows the process of each of the chosen accounts, once.
  /// - Throws: as ``each(in:_:)``.
  @Client static func showAll(in context: CommandContext) async throws {
    var shown: Set<Int> = []
    try await each(in: context) { account in
      shown.insert(try await show(account, in: context, unless: shown))
    }
  }

  /// Does something for each of the chosen accounts: what fails for one is told, and keeps no other from it.
  /// - Throws: what `body` throws for the only one, or for the last that failed.
  @Client static func each(in context: CommandContext, _ body: @Client (Account) async throws -> Void) async throws {
    let accounts = try context.application.chosenAccounts()
    var last: CommandFailure?
    for account in accounts {
      do {
        try await body(account)
      } catch {
        let failure = CommandFailure(error)
        guard accounts.count > 1, failure.code != .interrupted else { throw failure }
        var told = failure.located(account.shownName)
        context.of(account).fail(told)
        told.isShown = true
        last = told
      }
    }
    if let last { throw last }
  }

  /// - Parameter shown: processes that have been shown.
  /// - Returns: the process.
  @Client private static func show(
    _ account: Account, in context: CommandContext, unless shown: Set<Int>
  ) async throws -> Int {
    let row = try await inquiry(of: account, in: context).status(within: context.timeout)
    if !shown.contains(row.process) { context.of(account).show(row) }
    return row.process
  }

  /// - Throws: ``CommandFailure`` where nobody listens, or so many connections wait that it takes no more.
  @Client static func inquiry(of account: Account, in context: CommandContext) throws -> AgentInquiry {
    guard let inquiry = try AgentInquiry(of: account.jid, in: context.application) else { throw none(account) }
    return inquiry
  }

  @Client static func none(_ account: Account) -> CommandFailure {
    CommandFailure(
      .unavailable, "no-agent",
      "No Jackdaw runs for \(account.jid.bare) that other commands could go through. 'jackdaw agent start' starts one.")
  }
}

/// `agent run`: in the foreground, for whoever looks after services.
package struct AgentRunCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Be the agent, until told to end.",
    discussion: "For systemd and its like, which start it, look after it and have its lines in their journal.")
  package static let declaration = CommandDeclaration(
    place: .shell, options: ["--idle": .nothing], runsApart: true, accounts: .all, meanings: ["foreground"],
    examples: [.init("agent run", "Stay in the foreground.")])

  @Option(help: ArgumentHelp("End after so long without a client.", valueName: "seconds"))
  package var idle: Double?

  /// Of `agent start`: it lets go of the terminal once it is ready.
  @Flag(help: .hidden)
  package var detach = false

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package func validate() throws { try Self.check(idle) }

  static func check(_ idle: Double?) throws {
    if let idle, !(idle > 0 && idle < CommandLimits.longestWait) { throw ValidationError("'--idle' takes seconds") }
  }

  package var isLimited: Bool { false }

  @Client package func run(in context: CommandContext) async throws {
    let detaches = detach
    if detaches { DetachedProcess.begin() }
    try await context.application.runAgent(
      inherited: InheritedSockets.take(), idle: idle.map { .seconds($0) }, tellsConnections: !detaches,
      whenReady: {
        guard detaches else { return }
        // What it has said is out by then; where nobody reads it, nobody is left to be told.
        try? await context.output.flush()
        DetachedProcess.letGo()
      })
  }
}

/// The Jackdaw that other commands go through.
struct AgentRow: CommandRow {
  var process: Int
  var isAgent: Bool
  var program: String
  var state: String
  /// Commands of other processes that run.
  var commands: Int
  /// The addresses of all whose sessions it has, this account's among them.
  var accounts: [String]
  /// How those of them are that are not online, in the words of the `connection` event.
  var absent: [String: String] = [:]

  var cells: [Cell] {
    [
      Cell(isAgent ? "agent" : "Jackdaw", .name), Cell("process \(process)"),
      Cell(state == "resumed" ? "online" : state, ["online", "resumed"].contains(state) ? .online : .offline),
      Cell(commands == 1 ? "1 command" : "\(commands) commands", .faint),
    ] + (accounts.count > 1 ? [Cell(accounts.map(shown).joined(separator: " "))] : [])
  }

  private func shown(_ account: String) -> String { absent[account].map { "\(account) (\($0))" } ?? account }

  private enum CodingKeys: String, CodingKey {
    case process
    case isAgent = "agent"
    case program, state, commands, accounts
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(process, forKey: .process)
    try container.encode(isAgent, forKey: .isAgent)
    try container.encode(program, forKey: .program)
    try container.encode(state, forKey: .state)
    try container.encode(commands, forKey: .commands)
    try container.encode(accounts, forKey: .accounts)
  }
}
