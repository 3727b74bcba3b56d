// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `/wait`: until something happens.
package struct WaitCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "wait", abstract: "Wait until something happens.",
    discussion: """
      A script goes on with its next line when the event has come, at the prompt with the next command; without it within --for, \
      else --timeout, seconds it fails with exit code 75. Only what comes while it waits counts.

      EVENT is one of \(EventCatalogue.names.joined(separator: ", ")), or one of a script's own that begins with x- ('/post').

      --match takes a regular expression for the text that came with it: the message, the status, the words of a request. A regular expression is one of RE2: as in other languages, \
      but without back-references and look-around, and with \\d, \\w, \\s and \\b for ASCII (\\pL is any letter). The first 64 kB of \
      a text are searched.
      """)
  package static let declaration = CommandDeclaration(
    place: .lines, arguments: [.word(.event)], options: ["--from": .friend, "--match": .nothing, "--for": .nothing],
    meanings: ["expect", "until"],
    examples: [
      .init("wait message --from bob@example.org", "Go on when Bob has written."),
      .init("wait message --match '^yes' --for 60", "Give up after a minute."),
      .init("wait friend-request", "Go on when somebody asks to be your friend."),
    ])

  @Argument(help: "What to wait for.")
  package var event: String

  @Option(help: ArgumentHelp("Only from this sender, or about them.", valueName: "jid"))
  package var from: String?

  @Option(help: ArgumentHelp("Only with a text that matches this regular expression.", valueName: "regex"))
  package var match: String?

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("Give up after so many seconds, and not after those of --timeout.", valueName: "seconds"))
  package var duration: Double?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package func validate() throws {
    do {
      _ = try EventCatalogue.type(named: event)
    } catch {
      throw ValidationError(error.description)
    }
    if let duration, !(duration >= 0 && duration < CommandLimits.longestWait) {
      throw ValidationError("'--for' takes seconds")
    }
  }

  package var isLimited: Bool { false }

  @Client package func run(in context: CommandContext) async throws {
    let pattern = try match.map { text throws(CommandFailure) in try TextPattern(text) }
    let about: JID? = if let from { try await context.address(from) } else { nil }
    let session = try await context.session()
    let limit: Duration = duration.map { .seconds($0) } ?? context.timeout
    do {
      _ = try await session.events.next(named: event, topics: about.map { [$0] }, timeout: .after(limit)) { happened in
        // What we said ourselves on another device is nothing that came, and a reaction no message.
        if let message = happened as? MessageArrived, message.carbon == .sent || message.isAnnotation { return false }
        guard let pattern else { return (happened as? TypingChanged).map { $0.state == .composing } ?? true }
        return Self.text(of: happened).map(pattern.isIn) ?? false
      }
    } catch {
      if error.code != .timedOut { throw error }
      throw CommandFailure(.tryAgain, "timeout", "No \(event) came within \(limit.inSeconds).")
    }
  }

  /// What `--match` looks at: the words that a person sent with the event.
  @Client private static func text(of event: any ClientEvent) -> String? {
    switch event {
    case let message as MessageArrived: message.body
    case let presence as PresenceChanged: presence.status
    case let request as FriendRequested: request.message
    case let friend as FriendChanged: friend.item.name
    case let change as ConnectionChanged: change.reason
    case let state as MessageStateChanged: state.state.reason
    case let typing as TypingChanged: typing.state.rawValue
    case let event as ScriptEvent: event.text
    default: nil
    }
  }
}
