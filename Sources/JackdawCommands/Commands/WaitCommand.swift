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
      else --timeout, seconds it fails with exit code 75.

      It counts what comes while it waits and what has come since the last line that sent a message; with --from, since the last that \
      sent one to them, if any did. Nothing is counted twice. What says how things stand \
      (\(RecentEvents.states.joined(separator: ", "))) counts only while it waits.

      Of several events all have to come, in any order, and one that is named twice comes twice; with --any the first of them is \
      enough. --from and --match hold for each. With a resource, --from is one client alone, or one occupant of a room.

      EVENT is one of \(EventCatalogue.names.joined(separator: ", ")), or one of a script's own that begins with x- ('/post').

      --match takes a regular expression for the text that came with it: the message, the status, the words of a request. A regular expression is one of RE2: as in other languages, \
      but without back-references and look-around, and with \\d, \\w, \\s and \\b for ASCII (\\pL is any letter). The first 64 kB of \
      a text are searched.
      """)
  package static let declaration = CommandDeclaration(
    place: .lines, arguments: [.word(.event)], options: ["--from": .friend, "--match": .nothing, "--for": .nothing],
    meanings: ["until"],
    examples: [
      .init("wait message --from bob@example.org", "Go on when Bob has written."),
      .init("wait message --match '^yes' --for 60", "Give up after a minute."),
      .init("wait message presence --from bob@example.org --any", "Go on when Bob writes, comes or goes."),
    ])

  @Argument(help: "What to wait for.")
  package var event: [String]

  @Flag(help: "Of several events the first ends the wait.")
  package var any = false

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
      for name in event { _ = try EventCatalogue.type(named: name) }
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
    let awaited = AwaitedEvents(event, any: any, clock: context.application.clock) { happened in
      if let about, !happened.concerns(about) { return false }
      guard happened.isNews else { return false }
      guard let pattern else { return (happened as? TypingChanged).map { $0.state == .composing } ?? true }
      return Self.text(of: happened).map(pattern.isIn) ?? false
    }
    let events = context.lines.events.of(try context.account(), in: session)
    let wait = events.begin(for: about) { awaited.take($0) }
    defer { events.end(wait) }
    guard try await awaited.wait(for: limit) else {
      let missing = awaited.missing.joined(separator: any ? " or " : " and no ")
      throw CommandFailure(.tryAgain, "timeout", "No \(missing) came within \(limit.inSeconds).")
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

/// Events that are waited for together.
@Client private final class AwaitedEvents {
  /// Those that have not come.
  private(set) var missing: [String]
  private let isAny: Bool
  private let came: Latch
  private let fits: @Client (any ClientEvent) -> Bool
  private var isOver = false

  init(_ names: [String], any: Bool, clock: any LoopClock, where fits: @escaping @Client (any ClientEvent) -> Bool) {
    missing = names
    isAny = any
    came = Latch(clock: clock)
    self.fits = fits
  }

  /// - Returns: whether it was waited for.
  func take(_ event: any ClientEvent) -> Bool {
    guard !isOver, let place = missing.firstIndex(of: event.name), fits(event) else { return false }
    missing.remove(at: place)
    guard isAny || missing.isEmpty else { return true }
    isOver = true
    came.open()
    return true
  }

  /// - Returns: whether they came in time.
  func wait(for limit: Duration) async throws -> Bool {
    try await came.wait(for: limit)
    return isOver
  }
}
