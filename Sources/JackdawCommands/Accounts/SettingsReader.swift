// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawHosts
package import JackdawLoop
import JackdawProtocol
import JackdawTransport

/// Finds each setting where it was given: option, environment, configuration file, default.
package struct SettingsReader {
  private let options: SharedOptions
  private let environment: EnvironmentVariables
  private let directory: String?

  /// - Parameter directory: in which relative paths begin; nil: where this process is.
  package init(options: SharedOptions, environment: EnvironmentVariables, directory: String? = nil) {
    self.options = options
    self.environment = environment
    self.directory = directory
  }

  /// Reads them all, and the configuration file with them.
  /// - Throws: ``CommandFailure``: 64 for a wrong option, 65 for a malformed address, 78 for what is wrong in the
  ///   environment or the configuration file.
  package func settings() throws(CommandFailure) -> Settings {
    let isJSON = try isJSON()
    if options.quiet, options.verbose {
      throw CommandFailure(.usage, "usage", "Use --quiet or --verbose, not both.")
    }
    let path = configurationPath
    let configuration = try ConfigurationFile(path: path ?? "", home: environment.given("HOME")).load()
    let all = try AccountChoice(options, environment, from: configuration, at: path).accounts()
    let account = all.first ?? (nil, nil)
    if all.count > 1 { try refuseOptionsOfOneAccount() }
    let looks = try looks(configuration)
    return Settings(
      accountName: account.entry?.name,
      chosenAccount: account.jid,
      otherAccounts: all.dropFirst().compactMap(\.entry),
      areSeveralGiven: all.count > 1 && (!options.account.isEmpty || environment.given("JACKDAW_ACCOUNT") != nil),
      configuredAccounts: configuration.accounts,
      password: password(account.entry),
      newPassword: newPassword(account.entry),
      store: account.entry?.store,
      configurationStamp: configuration.stamp,
      server: try server(account.entry),
      tls: try tls(account.entry),
      caFile: (options.caFile ?? environment.given("JACKDAW_CA_FILE") ?? account.entry?.caFile).map(absolute),
      given: Settings.Given(
        server: options.server ?? environment.given("JACKDAW_SERVER"),
        tls: (options.tls ?? environment.given("JACKDAW_TLS")).flatMap { ConnectionPlan.TLSMode(rawValue: $0) },
        caFile: options.caFile ?? environment.given("JACKDAW_CA_FILE")),
      optionForOneAccount: optionForOneAccount,
      bindsChannel: account.entry?.bindsChannel ?? true,
      timeout: try timeout(),
      dataFolder: dataFolder,
      environment: environment.without(Self.password),
      configurationPath: path,
      isNamedConfigurationMissing: AccountChoice.isNamedFileMissing(options, environment, configuration),
      home: environment.given("HOME"),
      isJSON: isJSON,
      color: try color(looks.theme),
      isQuiet: options.quiet,
      isVerbose: options.verbose,
      logsXML: options.logXml,
      keepsNothing: options.noHistory,
      showsPresence: configuration.showsPresence,
      whenRemoved: configuration.whenRemoved,
      history: configuration.history,
      discloses: configuration.discloses,
      notifications: configuration.notifications,
      idleAfter: configuration.idleAfter,
      setsTitle: configuration.setsTitle,
      looks: looks, isStyling: configuration.isStyling,
      isWithoutAgent: options.noAgent || environment.given("JACKDAW_NO_AGENT") != nil,
      agentIdle: configuration.startsAgent ? configuration.agentIdle : nil,
      wordsForAgent: options.wordsForAgent)
  }

  // MARK: Where something was given

  /// A text and who gave it, for the one who has to change it.
  private struct Given {
    var text: String
    /// `--tls` or `JACKDAW_TLS`.
    var origin: String
    var code: ExitCode

    func wrong(_ expected: String) -> CommandFailure {
      let condition = code == .usage ? "usage" : "configuration"
      return CommandFailure(code, condition, "\(origin): '\(text)' is \(expected).")
    }
  }

  private func given(_ option: String?, _ name: String, _ variable: String) -> Given? {
    if let option { return Given(text: option, origin: name, code: .usage) }
    return environment.given(variable).map { Given(text: $0, origin: variable, code: .configuration) }
  }

  // MARK: The account

  /// How to connect, and with which password, is another matter for each account.
  private func refuseOptionsOfOneAccount() throws(CommandFailure) {
    guard let name = optionForOneAccount else { return }
    throw CommandFailure(
      .usage, "usage",
      "\(name), or its variable, is for one account, and several were chosen. The configuration file has it for each.")
  }

  private var optionForOneAccount: String? {
    let given: [(String, String?)] = [
      ("--server", options.server ?? environment.given("JACKDAW_SERVER")),
      ("--tls", options.tls ?? environment.given("JACKDAW_TLS")),
      ("--ca-file", options.caFile ?? environment.given("JACKDAW_CA_FILE")),
      (
        "--password-file",
        options.passwordFile ?? environment.given("JACKDAW_PASSWORD_FILE") ?? environment.given("JACKDAW_PASSWORD")
      ),
    ]
    return given.first { $0.1 != nil }?.0
  }

  private func password(_ entry: Configuration.Account?) -> PasswordSource? {
    if let path = options.passwordFile ?? environment.given("JACKDAW_PASSWORD_FILE") { return .file(path) }
    if let password = environment.given(Self.password) { return .environment(password) }
    return entry?.password
  }

  private static let password = "JACKDAW_PASSWORD"

  private func newPassword(_ entry: Configuration.Account?) -> String? {
    guard case .inline = password(entry) else { return nil }
    return entry?.newPassword
  }

  // MARK: The connection

  private func server(_ entry: Configuration.Account?) throws(CommandFailure) -> HostPort? {
    guard let given = given(options.server, "--server", "JACKDAW_SERVER") else {
      return entry?.server.flatMap { HostPort($0) }
    }
    guard let server = HostPort(given.text) else { throw given.wrong("not a host or host:port") }
    return server
  }

  private func tls(_ entry: Configuration.Account?) throws(CommandFailure) -> ConnectionPlan.TLSMode {
    guard let given = given(options.tls, "--tls", "JACKDAW_TLS") else { return entry?.tls ?? .auto }
    guard let mode = ConnectionPlan.TLSMode(rawValue: given.text) else {
      throw given.wrong("not one of auto, starttls and direct")
    }
    return mode
  }

  private func timeout() throws(CommandFailure) -> Duration {
    try given(options.timeout, "--timeout", "JACKDAW_TIMEOUT").map(Self.seconds) ?? .seconds(30)
  }

  private static func seconds(_ given: Given) throws(CommandFailure) -> Duration {
    guard let seconds = Double(given.text), seconds > 0, seconds <= CommandLimits.longestTimeout else {
      throw given.wrong("not a number of seconds above 0, up to \(Int(CommandLimits.longestTimeout))")
    }
    return .seconds(seconds)
  }

  /// `--timeout` of one line; nil where it has none of its own.
  static func timeout(ofLine options: SharedOptions) throws(CommandFailure) -> Duration? {
    guard let text = options.timeout else { return nil }
    return try seconds(Given(text: text, origin: "--timeout", code: .usage))
  }

  /// What a command line says of `--timeout`, before it is known which of its words are options: a word of a message may look like one.
  /// - Returns: nil: nothing that would be taken.
  package static func likelyTimeout(_ words: [String], _ environment: EnvironmentVariables) -> Duration? {
    let options = words.prefix { $0 != "--" }
    let given = options.indices.compactMap { index in
      options[index].hasPrefix("--timeout=")
        ? String(options[index].dropFirst("--timeout=".count))
        : options[index] == "--timeout" && index + 1 < options.endIndex ? options[index + 1] : nil
    }
    guard let text = given.last ?? environment["JACKDAW_TIMEOUT"] else { return nil }
    return try? seconds(Given(text: text, origin: "--timeout", code: .usage))
  }

  // MARK: Output

  private func isJSON() throws(CommandFailure) -> Bool {
    guard let text = environment.given("JACKDAW_OUTPUT"), !options.json else { return options.json }
    let given = Given(text: text, origin: "JACKDAW_OUTPUT", code: .configuration)
    guard text == "json" || text == "text" else { throw given.wrong("neither text nor json") }
    return text == "json"
  }

  private func looks(_ configuration: Configuration) throws(CommandFailure) -> LookSettings {
    var looks = configuration.looks
    if let given = given(options.theme, "--theme", "JACKDAW_THEME") {
      guard let theme = LookSettings.Theme(rawValue: given.text) else {
        throw given.wrong("not one of \(LookSettings.Theme.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      looks.theme = theme
    }
    if let text = environment.given("JACKDAW_SCREEN_READER") {
      guard let isSpoken = ["1": true, "true": true, "0": false, "false": false][text] else {
        throw Given(text: text, origin: "JACKDAW_SCREEN_READER", code: .configuration).wrong("neither true nor false")
      }
      looks.isSpoken = isSpoken
    }
    if options.screenReader { looks.isSpoken = true }
    return looks
  }

  private func color(_ theme: LookSettings.Theme) throws(CommandFailure) -> Settings.ColorChoice {
    guard let text = options.color else {
      return environment.given("NO_COLOR") == nil && theme != .none ? .auto : .never
    }
    guard let choice = Settings.ColorChoice(rawValue: text) else {
      throw CommandFailure(.usage, "usage", "--color: '\(text)' is not one of auto, always and never.")
    }
    return choice
  }

  // MARK: Files

  private var configurationPath: String? {
    options.config ?? environment.given("JACKDAW_CONFIG")
      ?? Self.folder("XDG_CONFIG_HOME", ".config", environment).map { $0 + "/jackdaw/config.toml" }
  }

  private var dataFolder: String? { (options.dataDir ?? Self.dataFolder(environment)).map(absolute) }

  /// A path that means the same wherever this process goes: an agent leaves the folder that it was started in.
  private func absolute(_ path: String) -> String {
    directory.map { Caller(directory: $0, environment: [:]).path(path) } ?? Configuration.Account.absolute(path)
  }

  /// Where databases and history are, where no option says it; nil: nothing does.
  package static func dataFolder(_ environment: EnvironmentVariables) -> String? {
    environment.given("JACKDAW_DATA_DIR")
      ?? folder("XDG_DATA_HOME", ".local/share", environment).map { $0 + "/jackdaw" }
  }

  /// nil: there is no home that it could be in.
  private static func folder(_ variable: String, _ below: String, _ environment: EnvironmentVariables) -> String? {
    // The XDG specification wants paths that are not absolute ignored.
    if let folder = environment.given(variable), folder.hasPrefix("/") { return folder }
    return environment.given("HOME").map { $0 + "/" + below }
  }
}
