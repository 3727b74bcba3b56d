// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `listen`: prints what arrives, and may hand each message to a program.
package struct ListenCommand: ContinuableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "listen", abstract: "Print what arrives; with --exec hand each message to a program.",
    discussion: """
      The program runs for one message after the other, and one that ends with another code than 0 is not answered. It has a \
      minute for a message, or '--timeout' if that is longer; then it is ended, with all that it started. SIGINT and SIGTERM \
      end listening well: the messages that have arrived are still handed over, for five seconds at most. So does the end of '--for', but what \
      was begun within those is not ended. '--reply' answers \
      people only, and what was just said: not the own account, addresses without a localpart, headlines and what is older than \
      five minutes, in rooms only what names you, and nobody more than 20 times within 10 seconds. What colours text on a terminal is left \
      out of an answer.

      What is not printed, as it is from somebody else or beyond the count, stays unread for whoever prints messages next. A \
      program has a place of its own in what was said: what it did not end well for is handed to it again at the next start, \
      whatever others have printed. '--as' names such a place.
      """)
  package static let declaration = CommandDeclaration(
    options: [
      "--from": .friend, "--count": .nothing, "--for": .nothing, "--exec": .file, "--as": .nothing,
    ],
    accounts: .all, meanings: ["receive", "watch", "recv", "tail", "bot"],
    examples: [
      .init("listen --count 1", "Print the next message, and end."),
      .init("listen --from bob@example.org --for 60", "Print Bob's messages for a minute."),
      .init("listen --exec ./answer --reply", "Answer each message with what a program prints.", in: .shell),
    ])

  @Option(help: ArgumentHelp("Only what comes from this sender; repeatable.", valueName: "jid"), completion: .declared)
  package var from: [String] = []

  @Option(help: ArgumentHelp("End after so many messages.", valueName: "n"))
  package var count: Int?

  @Option(name: .customLong("for"), help: ArgumentHelp("End after so many seconds.", valueName: "seconds"))
  package var duration: Double?

  @Option(
    help: ArgumentHelp(
      "Run this program for each message, without a shell, the event as JSON on its stdin.", valueName: "program"),
    completion: .file())
  package var exec: String?

  @Flag(help: "Send back what the program prints.")
  package var reply = false

  @Flag(help: "Take what is printed for read: who wrote it is told, and your other devices.")
  package var markDisplayed = false

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "Go on where the reader of this name was, whatever other programs have printed.", valueName: "name"))
  package var reader: String?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package func validate() throws {
    if reply, exec == nil { throw ValidationError("'--reply' needs '--exec'") }
    if reader?.isEmpty == true { throw ValidationError("'--as' takes a name") }
    if let count, count < 1 { throw ValidationError("'--count' takes a number from 1 on") }
    if let duration, !(duration >= 0 && duration < CommandLimits.longestWait) {
      throw ValidationError("'--for' takes seconds")
    }
  }

  package var isLimited: Bool { false }
  package var runsProgram: Bool { exec != nil }

  package func continued(from handover: Handover) -> ListenCommand? {
    if count != nil, handover.count ?? 0 < 1 { return nil }
    var rest = self
    rest.count = count.map { handover.count ?? $0 }
    rest.duration = duration.map { handover.seconds ?? $0 }
    return rest
  }

  @Client package func run(in context: CommandContext) async throws {
    let words = try exec.map { try ShellWords.split($0) }
    if let words, words.isEmpty { throw CommandFailure(.usage, "usage", "'--exec' needs a program to run.") }
    // Not only when the first message comes, which may be days later.
    if let words { try ChildProcess.requireProgram(words[0], within: context.application.surroundings) }
    let chosen = context.origin == .shell ? try context.application.chosenAccounts() : []
    let senders = from.map { Sender($0, among: chosen) }
    // What is no address is told before the log-in.
    for sender in senders { _ = try context.addressWithoutList(sender.word) }
    let wanted = ListenCount(count)
    // An account of which no sender is named has nothing to wait for.
    let accounts = chosen.filter { account in senders.isEmpty || senders.contains { $0.isFor(account) } }
    let group = ListenerGroup(chosen.count > 1 ? accounts : [], count: wanted, in: context) { context in
      let program = words.map { MessageProgram($0, replies: reply, context: context) }
      let account = try? context.account()
      return Listener(
        senders: senders.filter { $0.isFor(account) }.map(\.word), count: wanted, program: program, as: name(words),
        marksRead: markDisplayed, context: context)
    }
    let application = context.application
    // At the prompt an interrupt cancels the command.
    let interruption = context.origin == .prompt ? nil : application.onInterrupt { _ in group.interrupt() }
    let limit = duration.map { Duration.seconds($0) }
    let deadline = limit.map { application.clock.now + $0 }
    if context.origin == .shell {
      application.handover = {
        Handover(count: wanted.unshown, seconds: deadline.map { ($0 - application.clock.now) / .seconds(1) })
      }
    }
    defer {
      interruption?.cancel()
      application.handover = nil
    }
    try await group.run(for: limit)
  }

  private func name(_ words: [String]?) -> LogConsumer.Name {
    if let reader { return .bot("as " + reader) }
    return words.map { .bot("exec " + $0.joined(separator: " ")) } ?? .screen
  }

  /// Whose messages are wanted.
  private struct Sender {
    /// The word for them alone.
    let word: String
    /// Of several accounts, the one that it names; nil: all of them.
    private let account: Account?

    @Client init(_ word: String, among accounts: [Account]) {
      let parts = AccountAddress.split(word)
      account = parts.flatMap { parts in
        accounts.first { $0.name == parts.name || $0.jid.bare.description == parts.name }
      }
      self.word = account == nil ? word : parts?.rest ?? word
    }

    func isFor(_ account: Account?) -> Bool { self.account == nil || self.account === account }
  }
}
