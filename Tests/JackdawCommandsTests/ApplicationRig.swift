// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawCommands

/// A whole run of the program without its outside: alice@example.org on a server in memory, lines that a test gives, what is
/// shown kept, and a clock that stands still.
@Client final class ApplicationRig {
  let fixture: SessionFixture
  let output = RecordingOutput()
  let lines: TypedLines
  let application: Application
  let prompt = PromptRecord()
  /// What is kept of messages.
  let store = AccountStore.inMemory()
  private(set) var scripts: [String: TypedLines] = [:]
  /// What is remembered of log-ins.
  let logins = Logins()

  /// The contact lists of accounts that have one of their own; the others have that of ``store``.
  let rosters = Rosters()

  @Client final class Rosters {
    /// Bounded by the test.
    var stores: [JID: AccountStore] = [:]
  }

  /// What is stored of accounts on this machine.
  let stored = Stored()

  @Client final class Stored {
    var accounts: [JID] = []
    var isInUse = false
    var isAtWork = false
    var hasHistory = true
    /// Why nothing can be deleted; nil: it can.
    var failure: CommandFailure?
  }

  @Client final class Logins {
    private var stores: [JID: AccountStore] = [:]

    subscript(_ account: JID) -> any LoginMemoryStore {
      let store = stores[account] ?? .inMemory()
      stores[account] = store
      return store.login
    }
  }

  /// - Parameters:
  ///   - words: of the shell, for the options.
  ///   - environment: over an account and its password.
  ///   - messages: what the session keeps messages in; nil: ``store``.
  ///   - table: the commands of lines.
  ///   - agentFolder: where other processes' commands come in; nil: nowhere.
  init(
    _ lines: TypedLines = TypedLines(), words: [String] = [], environment: [String: String] = [:],
    isTerminal: Bool = false, secrets: (any SecretAsking)? = nil, scripts: [String: TypedLines] = [:],
    messages: (any MessageStore)? = nil, table: CommandTable = .standard, agentFolder: AgentFolder? = nil
  ) throws {
    let account = ["HOME": "/nonexistent", "JACKDAW_JID": "alice@example.org/here", "JACKDAW_PASSWORD": "secret"]
    let settings = try SettingsReader(
      options: try #require(CommandTable.standard.parse(shell: words).shared),
      environment: EnvironmentVariables(account.merging(environment) { $1 })
    ).settings()
    let store = store
    let fixture = try SessionFixture(
      timeout: settings.timeout,
      stores: SessionStores(
        roster: store.roster, friendRequests: store.friendRequests, messages: messages ?? store.messages,
        streams: store.streams, blocked: store.blocked,
        rooms: store.rooms))
    let prompt = prompt
    let (logins, stored, rosters) = (logins, stored, rosters)
    self.fixture = fixture
    self.lines = lines
    application = Application(
      settings: settings,
      parts: ApplicationParts(
        loop: .main, table: table, clock: fixture.clock, calendar: { fixture.date }, output: output, secrets: secrets,
        standardInput: lines,
        isStandardInputTerminal: isTerminal,
        openScript: { path, _ throws(CommandFailure) in
          guard let script = scripts[path] else { throw CommandFailure(.badInput, "file", "\(path) cannot be read") }
          return script
        },
        makeSession: {
          fixture.role = $0.role
          return fixture.session
        },
        makePrompt: { delegate in
          prompt.delegate = delegate
          return prompt
        },
        jsonLine: { (try? $0.jsonLine(at: fixture.date, account: $1.bare.description)) ?? [] },
        openLogins: { logins[$0] }, openMessages: { _ in store.messages },
        openLog: { _ in store.log },
        openRoster: { rosters.stores[$0.bare]?.roster ?? store.roster }, openRooms: { _ in store.rooms },
        imports: ImportParts(
          openEarlier: { _ in store.earlier }, openForeign: { try ForeignDatabase(path: $0) },
          makeStage: { try MessageStageTable() }),
        storedData: StoredData(
          path: { stored.accounts.contains($0) ? "/data/\($0)" : nil }, isInUse: { _ in stored.isInUse },
          isAtWork: { _ in stored.isAtWork },
          delete: { account in
            if let failure = stored.failure { throw failure }
            stored.accounts.removeAll { $0 == account }
          },
          deleteHistory: { stored.hasHistory = false }),
        agent: agentFolder.map { folder in
          AgentParts(
            folder: folder, environment: [:],
            makeOutput: { out, errors, settings, _ in StreamOutput(out, errors, settings) },
            makeLines: { PieceLines($0) })
        }))
  }

  /// Of a command that the shell runs.
  func context(_ command: String = "test") -> CommandContext {
    CommandContext(
      origin: .shell, application: application, output: output, lines: LineState(), command: command)
  }

  /// Runs the program with these words to its end.
  func run(_ words: String...) async throws -> ExitCode { try await run(words) }

  /// The same for words that a test has put together.
  func run(_ words: [String]) async throws -> ExitCode {
    await application.run(try CommandTable.standard.parse(shell: words))
  }

  /// Begins to run the program with these words.
  func start(_ words: String...) async throws -> StartedTask<ExitCode> {
    let request = try CommandTable.standard.parse(shell: words)
    let application = application
    let task = StartedTask { await application.run(request) }
    await fixture.clock.settle()
    return task
  }

  /// Enters lines at the prompt, each once what the one before began has gone as far as it can.
  func type(_ lines: String...) async {
    for line in lines {
      prompt.type(line)
      await fixture.clock.settle()
    }
  }

  /// The bodies of the messages that came to the server, with whom they were for.
  var sentMessages: [String] {
    fixture.server.received.filter { $0.name == "message" }.map {
      "\($0.attribute("to") ?? "")|\($0.child("body", "jabber:client")?.text ?? "")"
    }
  }

  /// Makes an earlier run have stored this contact list.
  /// - Parameter account: whose it is alone; nil: that of all who have none of their own.
  func storeRoster(_ items: [(jid: String, name: String?)], of account: String? = nil) {
    var store = store
    if let account = account.flatMap({ try? JID($0) }) {
      store = .inMemory()
      rosters.stores[account] = store
    }
    let items = items.compactMap { item in
      (try? JID(item.jid)).map { RosterItem(jid: $0, name: item.name, subscription: .both) }
    }
    try? store.roster.replaceRoster(RosterSnapshot(version: "1", items: items))
  }

  /// Makes the server have this contact list: `bob@example.org` with a name, a subscription.
  func setRoster(_ items: [(jid: String, name: String?, groups: [String])]) {
    let entries = items.map { item in
      let name = item.name.map { " name='\($0)'" } ?? ""
      let groups = item.groups.map { "<group>\($0)</group>" }.joined()
      return "<item jid='\(item.jid)' subscription='both'\(name)>\(groups)</item>"
    }
    fixture.answer = { element in
      guard let iq = try? IQ(element), iq.kind == .get, iq.payload?.matches("query", "jabber:iq:roster") == true,
        let query = try? Element(parsing: "<query xmlns='jabber:iq:roster'>\(entries.joined())</query>")
      else { return SessionFixture.manners(element) }
      return [iq.result(query).element]
    }
  }
}

/// A prompt that shows nothing: a test types at its delegate.
@Client final class PromptRecord: PromptControl {
  var delegate: (any PromptDelegate)?
  private(set) var states: [PromptState] = []
  private(set) var isRunning = false
  private(set) var notifications: [PromptNotification] = []
  /// Lines that came back to the input line.
  private(set) var returned: [String] = []
  /// Lines that were put on it as the user had asked for them.
  private(set) var offered: [String] = []

  func start() { isRunning = true }
  func stop() { isRunning = false }
  func update(_ state: PromptState) { states.append(state) }
  func putBack(_ line: String, to conversation: ConversationKey?) { returned.append(line) }
  func offer(_ line: String) { offered.append(line) }
  func notify(_ notification: PromptNotification) { notifications.append(notification) }

  @discardableResult func type(_ line: String) -> Bool { delegate?.promptEntered(line) ?? false }
}
