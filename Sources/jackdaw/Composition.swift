// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawCommands
import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawStore
import JackdawTerminal
import JackdawTransport

/// The composition root: each object is made here, once, and handed to those that need it.
@Client struct Composition {
  private let settings: Settings
  private let environment: Environment
  private let pager: Pager
  private let loop = EventLoop.main
  private let databases = OpenDatabases()

  /// - Parameter pager: what is longer than the screen goes through it; whoever made it ends it.
  init(settings: Settings, environment: Environment, pager: Pager) {
    self.settings = settings
    self.environment = environment
    self.pager = pager
  }

  /// - Parameter isRest: another process began it, which has ended.
  func run(_ request: CommandTable.ShellRequest, isRest: Bool = false) async -> ExitCode {
    let isPaged = Self.isPaged(request) && !settings.isJSON && isatty(STDOUT_FILENO) == 1
    let input = isPaged ? pager.start() : nil
    let application = application(through: input)
    application.followsAgent = isRest
    let code = await application.run(request, isPaged: input != nil)
    databases.close()
    // Who leaves the pager has seen enough: that is no failure.
    return input != nil && application.readerLeft ? .success : code
  }

  /// - Parameter pager: the descriptor of what stands between stdout and the terminal; nil: nothing does.
  func application(through pager: Int32? = nil) -> Application {
    let colors = ColorSettings(when: ColorChoice(rawValue: settings.color.rawValue) ?? .auto, looks: settings.looks)
    let standardOutput = Self.stream(STDOUT_FILENO, "stdout", colors, environment, through: pager)
    let standardError = Self.errorStream(beside: standardOutput, colors, environment)
    let secrets = SecretPrompt(loop: loop)
    let names = SessionNames(
      settings.namesByAccount,
      areSeveral: settings.namesAccounts)
    let output = OutputSwitch(
      settings.isJSON
        ? jsonOutput(standardOutput, standardError)
        : textOutput(standardOutput, standardError, names, isPrompt: false))
    let isTerminal = isatty(STDIN_FILENO) == 1
    let application = Application(
      settings: settings,
      parts: ApplicationParts(
        loop: loop, clock: loop, calendar: Self.now, output: output,
        secrets: isTerminal || isatty(STDERR_FILENO) == 1 ? secrets : nil,
        standardInput: LineReader(descriptor: STDIN_FILENO, loop: loop), isStandardInputTerminal: isTerminal,
        openScript: { path, opened throws(CommandFailure) in try ScriptFile.open(path, at: opened, loop: loop) },
        makeSession: { configuration in
          let session = makeSession(configuration, output, names)
          names.add(session)
          return session
        },
        makePrompt: { delegate in
          let prompt = Prompt(
            loop: loop, output: standardOutput, delegate: delegate, historyFile: historyFile(),
            setsTitle: settings.setsTitle)
          prompt.onInterrupt = { [weak delegate] in delegate?.promptInterrupted() }
          secrets.prompt = prompt
          let lines = textOutput(prompt, prompt, names, isPrompt: true)
          output.target = settings.isJSON ? jsonOutput(prompt, prompt) : lines
          return PromptScreen(prompt: prompt, lines: lines)
        },
        jsonLine: { event, account in
          (try? event.jsonLine(at: Self.now(), account: account.bare.description)) ?? []
        },
        openLogins: { account in accountStore(account, output).login },
        openMessages: { account in accountStore(account, output, readsCopy: true).messages },
        openLog: { account in
          let store = accountStore(account, output, readsCopy: true)
          names.add(account, store.roster, store.log)
          return store.log
        },
        openRoster: { account in accountStore(account, output, readsCopy: true).roster },
        openRooms: { account in accountStore(account, output, readsCopy: true).rooms },
        imports: ImportParts(
          openEarlier: { account in accountStore(account, output).earlier },
          openForeign: { path in try ForeignDatabase(path: path) }, makeStage: { try MessageStageTable() }),
        storedData: storedData(), agent: agentParts(names)))
    standardOutput.whenBroken = { [weak application] in application?.outputBroke($0) }
    return application
  }

  private static func isPaged(_ request: CommandTable.ShellRequest) -> Bool {
    guard case .command(let command, _) = request else { return false }
    return type(of: command).declaration.isPaged
  }

  /// What lets other processes' commands go through this one.
  private func agentParts(_ names: SessionNames) -> AgentParts {
    let clock = loop
    return AgentParts(
      folder: AgentFolder(environment: environment.variables, dataFolder: settings.dataFolder),
      environment: environment.variables,
      makeOutput: { out, errors, settings, variables in
        let verbosity: Verbosity = settings.isQuiet ? .quiet : .normal
        let sinks = [out, errors].map { stream in
          RunSink(
            stream, colors: ColorChoice(rawValue: settings.color.rawValue) ?? .auto, looks: settings.looks
          ) { variables[$0] }
        }
        return settings.isJSON
          ? JSONOutput(out: sinks[0], errors: sinks[1], wallClock: Self.now, verbosity: verbosity)
          : TextOutput(
            out: sinks[0], errors: sinks[1], names: names, clock: clock, wallClock: Self.now, verbosity: verbosity,
            isStyling: settings.isStyling, repeatsRetracted: !settings.history.removesRetracted,
            accountName: settings.namesAccounts ? Self.configuredName(settings) : { _ in nil })
      },
      makeLines: { LineReader($0) })
  }

  /// What accounts are called in the configuration of the process that a command runs for.
  private static func configuredName(_ settings: Settings) -> @Client (JID) -> String? {
    let names = settings.namesByAccount
    return { account in names[account] ?? account.description }
  }

  private var verbosity: Verbosity { settings.isVerbose ? .verbose : settings.isQuiet ? .quiet : .normal }

  private func jsonOutput(_ out: any TextSink, _ errors: any TextSink) -> JSONOutput {
    JSONOutput(out: out, errors: errors, wallClock: Self.now, verbosity: verbosity)
  }

  private func textOutput(
    _ out: any TextSink, _ errors: any TextSink, _ names: SessionNames, isPrompt: Bool
  ) -> TextOutput {
    TextOutput(
      out: out, errors: errors, names: names, clock: loop, wallClock: Self.now, verbosity: verbosity,
      isPrompt: isPrompt, isStyling: settings.isStyling, repeatsRetracted: !settings.history.removesRetracted)
  }

  private func makeSession(
    _ configuration: SessionConfiguration, _ output: any Output, _ names: SessionNames
  ) -> Session {
    let account = configuration.account.bare
    let said: @Client (String) -> String = { text in names.accountName(account).map { "[\($0)] \(text)" } ?? text }
    let ids = StanzaIDSource()
    let store = accountStore(configuration.account, output, isOneShot: configuration.role.isOneShot)
    let log =
      settings.logsXML || settings.isVerbose
      ? TextStreamLog(showsXML: settings.logsXML) { output.trace($0) } : nil
    return Session(
      configuration,
      environment: SessionEnvironment(
        connector: Connector(loop: loop), clock: loop, calendar: Self.now, freshID: { ids.next() + ids.next() },
        messageID: { ids.next(at: $0) },
        deriveKeys: { derivation in
          do {
            return try await loop.offload { call in derivation.run { call.isWanted } }
          } catch {
            return nil
          }
        },
        log: log, remark: { output.detail(said($0)) }, notice: { output.notice(said($0)) }),
      stores: SessionStores(
        roster: store.roster, logins: store.login, capabilities: store.capabilities,
        friendRequests: store.friendRequests, messages: store.messages, streams: store.streams,
        log: store.log, earlier: store.earlier, readMarks: store.readMarks, blocked: store.blocked, rooms: store.rooms))
  }

  private func accountStore(
    _ account: JID, _ output: any Output, isOneShot: Bool = true, readsCopy: Bool = false
  ) -> AccountStore {
    AccountStore(
      directory: settings.dataFolder ?? "", account: account.bare, isOneShot: isOneShot, readsCopy: readsCopy,
      among: databases
    ) { $0.isOfLoss ? output.warn($0.description) : output.notice($0.description) }
  }

  private func storedData() -> StoredData {
    let folder = settings.dataFolder ?? ""
    return StoredData(
      path: { DatabaseFile(directory: folder, account: $0).existingPath },
      isInUse: { DatabaseFile(directory: folder, account: $0).isInUse },
      isAtWork: { DatabaseFile(directory: folder, account: $0).isAtWork },
      delete: { try DatabaseFile(directory: folder, account: $0).delete() },
      deleteHistory: { if !folder.isEmpty { unlink(folder + "/history") } })
  }

  /// Where the lines of the prompt are kept; nil where there is no folder for them, which the store warns of.
  private func historyFile() -> String? {
    guard let folder = settings.dataFolder else { return nil }
    do throws(CommandFailure) {
      try PrivateFolder.make(folder)
      return folder + "/history"
    } catch {
      return nil
    }
  }

  /// The time of day.
  static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }

  /// When text is coloured, and how.
  private struct ColorSettings {
    var when = ColorChoice.auto
    var looks = LookSettings()
  }

  private static func stream(
    _ descriptor: Int32, _ name: String, _ colors: ColorSettings, _ environment: Environment,
    through pager: Int32? = nil
  ) -> StandardStream {
    StandardStream(
      descriptor: pager ?? descriptor, screen: descriptor, name: name, colors: colors.when, looks: colors.looks,
      environment: { environment.variables[$0] },
      clock: EventLoop.main)
  }

  private static func errorStream(
    beside output: StandardStream, _ colors: ColorSettings, _ environment: Environment
  ) -> StandardStream {
    StandardStream(
      descriptor: STDERR_FILENO, name: "stderr", colors: colors.when, looks: colors.looks,
      environment: { environment.variables[$0] }, clock: EventLoop.main, beside: output, leavesOut: true)
  }

  // MARK: Before there are settings

  /// Help, the version and the like.
  static func printed(_ text: String, _ environment: Environment) async -> ExitCode {
    let out = stream(STDOUT_FILENO, "stdout", ColorSettings(), environment)
    out.write(text.hasSuffix("\n") ? text : text + "\n")
    do throws(CommandFailure) {
      try await out.flush(within: nil)
      return .success
    } catch {
      return await failed(error, [], environment)
    }
  }

  /// What a shell is offered for a word, a line each. Nothing is said of what is wrong with the settings: somebody is typing.
  static func completed(_ completion: ShellCompletion, _ environment: Environment) async -> ExitCode {
    let reader = SettingsReader(options: completion.options, environment: environment.variables)
    guard let wanted = completion.wanted, let settings = try? reader.settings() else { return .success }
    var candidates: [String] = []
    switch wanted {
    case .account: candidates = completion.candidates(settings.accountNames)
    case .friend:
      if let account = settings.chosenAccount, let folder = settings.dataFolder {
        candidates = completion.candidates(StoredFriends.read(directory: folder, account: account))
      }
    case .room:
      if let account = settings.chosenAccount, let folder = settings.dataFolder {
        candidates = completion.candidates(StoredRooms.read(directory: folder, account: account))
      }
    }
    // The generated script for zsh says who it is, and takes the last line for none of them.
    if environment.variables["SAP_SHELL"] == "zsh" { candidates.append(" ") }
    return candidates.isEmpty ? .success : await printed(candidates.joined(separator: "\n"), environment)
  }

  /// A failure before it is known how to show one: as JSON too where the words or the environment ask for it.
  static func failed(_ failure: CommandFailure, _ words: [String], _ environment: Environment) async -> ExitCode {
    let out = stream(STDOUT_FILENO, "stdout", ColorSettings(), environment)
    let errors = errorStream(beside: out, ColorSettings(), environment)
    let wantsJSON = words.prefix { $0 != "--" }.contains("--json") || environment.variables["JACKDAW_OUTPUT"] == "json"
    let output: any Output =
      wantsJSON
      ? JSONOutput(out: out, errors: errors, wallClock: now)
      : TextOutput(out: out, errors: errors, names: SessionNames(), clock: EventLoop.main, wallClock: now)
    output.fail(failure, account: nil)
    do throws(CommandFailure) {
      try await output.flush()
    } catch {
      // Nobody is left to be told; the code is that of the first failure.
    }
    return failure.code
  }
}
