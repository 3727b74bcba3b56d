// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser

/// The options of every command. Nil or false: not given on the command line.
package struct SharedOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "An account of the configuration file; several at once where it is repeated, or with commas between them.",
      valueName: "name"),
    completion: .declared)
  package var account: [String] = []

  @Option(help: ArgumentHelp("Log in as this address without a configured account.", valueName: "jid"))
  package var jid: String?

  @Option(
    help: ArgumentHelp(
      "Connect there; the certificate is still checked for the address's domain.", valueName: "host[:port]"))
  package var server: String?

  @Option(
    help: ArgumentHelp("How TLS begins: auto, starttls or direct.", valueName: "mode"),
    completion: .list(["auto", "starttls", "direct"]))
  package var tls: String?

  @Option(
    help: ArgumentHelp("Trust these certificate authorities instead of the system's.", valueName: "file"),
    completion: .file())
  package var caFile: String?

  @Option(help: ArgumentHelp("A file that holds the password.", valueName: "file"), completion: .file())
  package var passwordFile: String?

  @Option(help: ArgumentHelp("The configuration file.", valueName: "file"), completion: .file())
  package var config: String?

  @Option(help: ArgumentHelp("The folder of databases and history.", valueName: "folder"), completion: .directory)
  package var dataDir: String?

  @Flag(help: "JSON Lines on stdout instead of text.")
  package var json = false

  @Option(help: ArgumentHelp("How long one command may wait for the network (30).", valueName: "seconds"))
  package var timeout: String?

  @Option(
    help: ArgumentHelp("When to use colours: auto, always or never.", valueName: "when"),
    completion: .list(["auto", "always", "never"]))
  package var color: String?

  @Option(
    help: ArgumentHelp("Colours that suit a background: auto, dark, light and others.", valueName: "name"),
    completion: .list(LookSettings.Theme.allCases.map(\.rawValue)))
  package var theme: String?

  @Flag(help: "Write for a screen reader: nothing is drawn anew or in columns.")
  package var screenReader = false

  @Flag(name: .shortAndLong, help: "Say less.")
  package var quiet = false

  @Flag(name: .shortAndLong, help: "Say more.")
  package var verbose = false

  @Flag(help: "Show every stanza on stderr, with secrets masked.")
  package var logXml = false

  @Flag(help: "Log in by itself, whatever runs for the account.")
  package var noAgent = false

  @Flag(help: "Keep nothing of what is said in this run once it has been shown.")
  package var noHistory = false

  package init() {}

  /// Where none is given. The parser would make the same of no words, in a fifth of the processor's time that the start to the prompt
  /// takes.
  static var none: Self {
    var options = Self()
    options.account = []
    options.jid = nil
    options.server = nil
    options.tls = nil
    options.caFile = nil
    options.passwordFile = nil
    options.config = nil
    options.dataDir = nil
    options.timeout = nil
    options.color = nil
    options.theme = nil
    options.json = false
    options.screenReader = false
    options.quiet = false
    options.verbose = false
    options.logXml = false
    options.noAgent = false
    options.noHistory = false
    return options
  }

  /// What the help calls them.
  static let title = "Options of every command"
  /// The one of them that a line may have too.
  static let ofLines = "--timeout"
  /// Those whose value is the next word.
  static let valued: Set<String> = [
    "--account", "--jid", "--server", "--tls", "--ca-file", "--password-file", "--config", "--data-dir", "--timeout",
    "--color", "--theme",
  ]

  /// - Throws: ``CommandFailure`` with code 64 when one is given that belongs to the start of the program, and not to one
  ///   line of it.
  func refuseStartOptions() throws(CommandFailure) {
    let options: [(name: String, isGiven: Bool)] = [
      ("--account", !account.isEmpty), ("--jid", jid != nil), ("--server", server != nil), ("--tls", tls != nil),
      ("--ca-file", caFile != nil), ("--password-file", passwordFile != nil), ("--config", config != nil),
      ("--data-dir", dataDir != nil), ("--json", json), ("--color", color != nil), ("--quiet", quiet),
      ("--verbose", verbose), ("--log-xml", logXml), ("--no-history", noHistory),
      ("--no-agent", noAgent), ("--screen-reader", screenReader), ("--theme", theme != nil),
    ]
    guard let given = options.first(where: \.isGiven) else { return }
    throw CommandFailure(.usage, "usage", "\(given.name) is an option of the program's start, not of a line.")
  }

  /// - Throws: ``CommandFailure`` with code 64 when one is given that a session which is there already cannot follow: it says which
  ///   account it is, how it connects, or what it keeps.
  func refuseSessionOptions() throws(CommandFailure) {
    let options: [(name: String, isGiven: Bool)] = [
      ("--account", !account.isEmpty), ("--jid", jid != nil), ("--server", server != nil), ("--tls", tls != nil),
      ("--ca-file", caFile != nil), ("--password-file", passwordFile != nil), ("--config", config != nil),
      ("--data-dir", dataDir != nil), ("--log-xml", logXml), ("--no-history", noHistory), ("--no-agent", noAgent),
    ]
    guard let given = options.first(where: \.isGiven) else { return }
    throw CommandFailure(
      .usage, "usage", "\(given.name) is an option of the program's start: this session is there already.")
  }
}
