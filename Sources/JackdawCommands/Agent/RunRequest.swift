// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
package import JackdawLoop
package import JackdawProtocol
package import JackdawSession

/// A command line that another process wants to be run here, and what that process is like: `run` of Docs/AGENT.md.
package struct RunRequest: Sendable, Equatable {
  /// The words after the program's name.
  package var words: [String]
  package var caller: Caller
  /// Of the accounts that the words choose, the one that it is to be run for; nil: all of them.
  package var account: JID?
  /// Whether its stdin is a terminal.
  package var isInputTerminal: Bool
  /// The columns of the terminals that its stdout and stderr are; nil: none.
  package var outputColumns: Int?
  package var errorColumns: Int?
  /// Whether its stdout and stderr are the same file.
  package var hasOneOutput: Bool
  /// Whether somebody can be asked there.
  package var mayAsk: Bool

  /// - Parameter account: of those that the words choose, the one that it is to be run for; nil: all of them.
  package init(
    words: [String], caller: Caller, for account: JID? = nil, isInputTerminal: Bool = false, outputColumns: Int? = nil,
    errorColumns: Int? = nil, hasOneOutput: Bool = false, mayAsk: Bool = false
  ) {
    self.words = words
    self.caller = caller
    self.account = account?.bare
    self.isInputTerminal = isInputTerminal
    self.outputColumns = outputColumns
    self.errorColumns = errorColumns
    self.hasOneOutput = hasOneOutput
    self.mayAsk = mayAsk
  }

  /// As it is said in a request.
  package var parameters: JSONObjectText {
    var environment = JSONObjectText()
    for (name, value) in caller.environment.entries { environment.add(name, value) }
    var object = JSONObjectText()
    object.add("version", AgentLanguage.version)
    object.add("words", words)
    object.add("directory", caller.directory)
    object.add("environment", environment)
    if let account { object.add("account", account.description) }
    object.add("stdin_terminal", isInputTerminal)
    object.add("stdout_columns", outputColumns)
    object.add("stderr_columns", errorColumns)
    object.add("one_output", hasOneOutput)
    object.add("may_ask", mayAsk)
    return object
  }

  /// - Throws: ``AgentLanguage/Failure`` for another version, and for what is missing.
  package init(_ parameters: JSONValue) throws(AgentLanguage.Failure) {
    guard parameters["version"].integer == AgentLanguage.version else {
      throw AgentLanguage.Failure(
        AgentLanguage.Failure.otherVersion, "This is version \(AgentLanguage.version) of the agent's language.")
    }
    guard case .array(let words) = parameters["words"], case .object(let variables) = parameters["environment"],
      let directory = parameters["directory"].text
    else { throw Self.incomplete }
    self.words = []
    for word in words {
      guard let text = word.text else { throw Self.incomplete }
      self.words.append(text)
    }
    var environment = EnvironmentVariables()
    for (name, value) in variables.members { if let text = value.text { environment.append(name, text) } }
    caller = Caller(directory: directory, environment: environment)
    if let address = parameters["account"].text {
      guard let jid = try? JID(address) else { throw Self.incomplete }
      account = jid.bare
    }
    isInputTerminal = parameters["stdin_terminal"].isTrue ?? false
    outputColumns = Self.columns(parameters["stdout_columns"])
    errorColumns = Self.columns(parameters["stderr_columns"])
    hasOneOutput = parameters["one_output"].isTrue ?? false
    mayAsk = parameters["may_ask"].isTrue ?? false
  }

  private static let incomplete = AgentLanguage.Failure(
    AgentLanguage.Failure.badParameters, "'run' needs words, environment and directory.")

  /// As a terminal may have.
  static func columns(_ value: JSONValue) -> Int? { value.integer.map { min(max($0, 1), Int(UInt16.max)) } }
}

/// The process that a command is run for, where that is another one than ours.
package struct Caller: Sendable, Equatable {
  /// The folder in which its relative paths begin.
  package var directory: String
  package var environment: EnvironmentVariables

  package init(directory: String, environment: EnvironmentVariables) {
    self.directory = directory
    self.environment = environment
  }

  /// A path as this process has to name it.
  package func path(_ path: String) -> String { path.hasPrefix("/") ? path : "\(directory)/\(path)" }

  /// Whether a path means another file in each process, such as `/dev/stdin`: here it would be this process's.
  package func isOwn(_ path: String) -> Bool {
    guard path.utf8.count < Int(PATH_MAX) else { return false }
    var steps: [Substring] = []
    for step in self.path(path).split(separator: "/") where step != "." {
      if step == ".." { _ = steps.popLast() } else { steps.append(step) }
    }
    let plain = "/\(steps.joined(separator: "/"))/"
    return Self.ownFiles.contains { plain.hasPrefix($0) }
  }

  /// How the paths begin of what a process has open, and of the terminal that it is typed at.
  private static let ownFiles = ["/dev/fd/", "/dev/std", "/dev/tty", "/proc/self/", "/proc/thread-self/"]
}
