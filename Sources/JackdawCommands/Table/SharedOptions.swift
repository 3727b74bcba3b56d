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
}

/// What is to be known of each beside how it is parsed: what the program does with options by their names goes by this list alone.
extension SharedOptions {
  /// What an option is about, and so where it may stand.
  enum Reach {
    /// How long one command may take: a line of a script or of the prompt may have it too.
    case command
    /// What is printed, and how: a command that goes through a session has its own.
    case output
    /// Which account it is, how it connects or what it keeps: a session that is there already cannot follow it.
    case session
  }

  /// One of the options.
  struct Known: Sendable {
    /// As it is typed.
    var name: String
    var reach: Reach
    /// Whether an agent that is started for the command is given it, too.
    var isForAgent = false
    var value: Value

    /// What the parser made of it.
    enum Value: Sendable {
      case flag(@Sendable (SharedOptions) -> Bool)
      case text(@Sendable (SharedOptions) -> String?)
      case list(@Sendable (SharedOptions) -> [String])
    }

    /// Whether the next word is its value.
    var takesValue: Bool {
      switch value {
      case .flag: false
      case .text, .list: true
      }
    }

    /// The words by which it was given, each time with its value; none: it was not.
    func words(in options: SharedOptions) -> [[String]] {
      switch value {
      case .flag(let isGiven): isGiven(options) ? [[name]] : []
      case .text(let text): text(options).map { [[name, $0]] } ?? []
      case .list(let texts): texts(options).map { [name, $0] }
      }
    }
  }

  /// All of them. An agent is given its password in another way.
  static let known = [
    Known(name: "--account", reach: .session, isForAgent: true, value: .list { $0.account }),
    Known(name: "--jid", reach: .session, isForAgent: true, value: .text { $0.jid }),
    Known(name: "--server", reach: .session, isForAgent: true, value: .text { $0.server }),
    Known(name: "--tls", reach: .session, isForAgent: true, value: .text { $0.tls }),
    Known(name: "--ca-file", reach: .session, isForAgent: true, value: .text { $0.caFile }),
    Known(name: "--password-file", reach: .session, value: .text { $0.passwordFile }),
    Known(name: "--config", reach: .session, isForAgent: true, value: .text { $0.config }),
    Known(name: "--data-dir", reach: .session, isForAgent: true, value: .text { $0.dataDir }),
    Known(name: "--json", reach: .output, value: .flag { $0.json }),
    Known(name: "--timeout", reach: .command, isForAgent: true, value: .text { $0.timeout }),
    Known(name: "--color", reach: .output, value: .text { $0.color }),
    Known(name: "--theme", reach: .output, value: .text { $0.theme }),
    Known(name: "--screen-reader", reach: .output, value: .flag { $0.screenReader }),
    Known(name: "--quiet", reach: .output, value: .flag { $0.quiet }),
    Known(name: "--verbose", reach: .output, value: .flag { $0.verbose }),
    Known(name: "--log-xml", reach: .session, value: .flag { $0.logXml }),
    Known(name: "--no-agent", reach: .session, value: .flag { $0.noAgent }),
    Known(name: "--no-history", reach: .session, isForAgent: true, value: .flag { $0.noHistory }),
  ]

  /// What the help calls them.
  static let title = "Options of every command"
  /// The one of them that a line may have too.
  static let ofLines = "--timeout"
  /// Those whose value is the next word.
  static let valued = Set(known.lazy.filter(\.takesValue).map(\.name))

  /// The words of them that an agent which is started for the command is given, option by option. Paths are from the folder in which the program
  /// was started: the agent starts there too.
  var wordsForAgent: [[String]] { Self.known.filter(\.isForAgent).flatMap { $0.words(in: self) } }

  /// The first that was given of those that reach so far.
  private func given(_ reaches: Set<Reach>) -> String? {
    Self.known.first { reaches.contains($0.reach) && !$0.words(in: self).isEmpty }?.name
  }

  /// - Throws: ``CommandFailure`` with code 64 when one is given that belongs to the start of the program, and not to one
  ///   line of it.
  func refuseStartOptions() throws(CommandFailure) {
    guard let given = given([.output, .session]) else { return }
    throw CommandFailure(.usage, "usage", "\(given) is an option of the program's start, not of a line.")
  }

  /// - Throws: ``CommandFailure`` with code 64 when one is given that a session which is there already cannot follow.
  func refuseSessionOptions() throws(CommandFailure) {
    guard let given = given([.session]) else { return }
    throw CommandFailure(
      .usage, "usage", "\(given) is an option of the program's start: this session is there already.")
  }
}
