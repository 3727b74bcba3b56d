// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `/set`: a variable of a script.
package struct SetCommand: ImmediateCommand {
  package static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Give a variable of a script its value.",
    discussion: """
      '${NAME}' in the lines below is replaced by the value, and by that of the environment where '/set' has given none. See \
      'help scripts'.
      """)
  package static let declaration = CommandDeclaration(
    place: .lines, arguments: [.word(.nothing), .text(.nothing)],
    isOfScripts: true,
    meanings: ["var", "variable", "let"],
    examples: [
      .init("set friend bob@example.org", "'${friend}' is Bob's address from now on."),
      .init("set greeting 'Good morning'", "A value of several words."),
    ])

  @Argument(help: "Letters, digits and '_'.")
  package var name: String

  @Argument(help: "The value; nothing: an empty one.")
  package var value: [String] = []

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func runAtOnce(in context: CommandContext) throws {
    try context.script().variables.set(name, to: value.joined(separator: " "))
  }
}

/// `/include`: the lines of another file.
package struct IncludeCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "include", abstract: "Run the lines of another script.",
    discussion: """
      A path is relative to the file that the line stands in. Variables that the file sets stay set. Whom plain lines go to is the \
      same at its beginning, and behind '/include' the same as before it, whatever '/to' the file has.

      A failure names the file and its line. A file cannot include itself, also by others.
      """)
  package static let declaration = CommandDeclaration(
    place: .lines, arguments: [.word(.file)],
    isOfScripts: true,
    meanings: ["source", "load"],
    examples: [
      .init("include people.jack", "Run the lines of a file beside this one.")
    ])

  @Argument(help: ArgumentHelp("The script.", valueName: "file"), completion: .file())
  package var file: String

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package var isLimited: Bool { false }

  @Client package func run(in context: CommandContext) async throws { try await context.script().include(file) }
}

/// `/expect`: a command is to end with a code, which may be one of failure.
package struct ExpectCommand: NestingCommand {
  package static let configuration = CommandConfiguration(
    commandName: "expect", abstract: "Fail unless a command ends with this exit code.",
    discussion: """
      CODE is an exit code, or several with commas between them. COMMAND is a command with all of its words, with its slash or without. \
      It may fail: what '/expect' comes to is whether it ended with the code. '$?' is the code with which it ended.

      Without a command it is about the one before, which has failed only where '--keep-going' or another '/expect' lets a script go \
      on.
      """)
  package static let declaration = CommandDeclaration(
    place: .lines, arguments: [.word(.nothing), .text(.command)],
    isOfScripts: true,
    meanings: ["assert", "unless"],
    examples: [
      .init("expect 67 friends remove bob@example.org", "Fail if Bob is on the contact list."),
      .init("expect 0,67 friends remove bob@example.org", "Go on whether he was there or not."),
      .init("expect 0", "Fail if the line before has failed."),
    ])

  @Argument(help: "One or several, as in 0,67.")
  package var code: String

  @Argument(help: "The command; nothing: the one of the line before.")
  package var command: [String] = []

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package func validate() throws {
    let known = ExitCode.all.filter { $0 != .interrupted }.map(\.value)
    guard let wanted, wanted.allSatisfy(known.contains) else {
      throw ValidationError("'\(code)' is not one of \(known.map(String.init).joined(separator: ", "))")
    }
  }

  private var wanted: [Int32]? {
    let codes = code.split(separator: ",", omittingEmptySubsequences: false).map { Int32($0) }
    return codes.contains(nil) ? nil : codes.compactMap { $0 }
  }

  package var isLimited: Bool { false }

  @Client package func run(in context: CommandContext) async throws {
    let script = try context.script()
    var failure: CommandFailure?
    if !command.isEmpty {
      do throws(CommandFailure) {
        try await script.run(command, mayFail: true)
      } catch {
        // The whole script is to end.
        if error.code == .interrupted { throw error }
        failure = error
      }
    }
    let code = command.isEmpty ? script.variables.lastCode : failure?.code ?? .success
    // Whatever becomes of this line: it is about the other.
    script.settle(code)
    if wanted?.contains(code.value) == true { return }
    let expected = self.code.replacing(",", with: " or ")
    guard var failure else {
      throw CommandFailure(.unavailable, "unexpected", "The exit code was to be \(expected), and is \(code.value).")
    }
    failure.text = "The exit code was to be \(expected), and is \(code.value): \(failure.text)"
    failure.namesFile = false
    throw failure
  }
}

/// `/if-online`: a command, where somebody is online.
package struct IfOnlineCommand: NestingCommand {
  package static let configuration = CommandConfiguration(
    commandName: "if-online", abstract: "Run a command if a contact is online.",
    discussion: """
      It waits until the server has told whether the contact is online. Away and busy are online, too. COMMAND is a command with all of its \
      words, with its slash or without; where the contact is offline it is not run, and the line has ended well.
      """)
  package static let declaration = CommandDeclaration(
    place: .lines, arguments: [.word(.friend), .text(.command)],
    isOfScripts: true,
    meanings: ["if", "when", "ifonline"],
    examples: [
      .init("if-online bob@example.org send bob@example.org Lunch?", "Ask Bob only if he is there.")
    ])

  @Argument(help: ArgumentHelp("Who has to be online: a JID, or a friend's name.", valueName: "jid"))
  package var address: String

  @Argument(help: "What is run then.")
  package var command: [String]

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package var isLimited: Bool { false }
  package var asksAtOnce: Bool { true }

  @Client package func run(in context: CommandContext) async throws {
    let script = try context.script()
    let contact = try await asking(context) { try await context.address(address).bare }
    try refusePicking(in: context.application.table)
    guard try await asking(context, { try await isOnline(contact, in: context) }) else { return }
    context.endNotice()
    try await script.run(command)
  }

  /// A failure of the condition belongs to the account that it asks; the command behind it names its own.
  @Client private func asking<Answer: Sendable>(
    _ context: CommandContext, _ ask: @Client () async throws -> Answer
  ) async throws -> Answer {
    do {
      return try await ask()
    } catch {
      throw context.lines.named(CommandFailure(error), of: try? context.account())
    }
  }

  /// Where the contact is offline nobody would be picked, and the plain lines below would go to somebody else.
  private func refusePicking(in table: CommandTable) throws(CommandFailure) {
    guard case .yes(let word) = table.picking(nested: command) else { return }
    throw CommandFailure(
      .usage, "usage",
      "'/\(word)' cannot stand behind '/if-online': where the contact is offline, the plain lines below would go to somebody else."
    )
  }

  @Client private func isOnline(_ contact: JID, in context: CommandContext) async throws -> Bool {
    let session = try await context.reachableSession()
    let presence = session.features[PresenceBoard.self]
    guard !presence.isToBeUnseen else {
      throw CommandFailure(.unavailable, "offline", "Your status is offline: nobody tells whether they are online.")
    }
    let clock = context.application.clock
    let end = clock.now + context.timeout
    while clock.now < end {
      if let known = presence.summary(of: contact) { return known != "unavailable" }
      guard [.to, .both].contains(session.features[FriendManager.self].item(for: contact)?.subscription) else {
        throw CommandFailure(
          .unavailable, "not-subscribed", "\(contact) does not let you see whether they are online.")
      }
      try await clock.sleep(for: CommandLimits.presencePause)
    }
    throw CommandFailure(
      .tryAgain, "timeout", "Nobody said within \(context.timeout.inSeconds) whether \(contact) is online.")
  }
}
