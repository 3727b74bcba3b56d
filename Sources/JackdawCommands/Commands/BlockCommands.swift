// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
package import JackdawProtocol
import JackdawSession

/// `block`: nothing of theirs gets here, and they do not see us.
package struct BlockCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "block", abstract: "Block people: nothing of theirs gets here, and to them you are offline.",
    discussion: "A domain blocks everybody there, an address with a resource only that device.")
  package static let declaration = CommandDeclaration(
    arguments: [.word(.friend)],
    isTypedWhole: true, meanings: ["ignore", "mute", "spam"],
    examples: [
      .init("block mallory@example.org", "Block one address."),
      .init("block spam.example", "Block everybody of a server."),
    ])

  @Argument(help: ArgumentHelp("Whom to block.", valueName: "jid"), completion: .declared)
  package var addresses: [String]

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let jids = try await context.addresses(addresses)
    let new = try await context.session().features[Blocking.self].block(jids)
    for jid in jids.withoutRepeats {
      try await context.showNext(BlockRow(jid, new.contains(jid) ? .blocked : .already, context))
    }
  }
}

/// `unblock`: lets them through again.
package struct UnblockCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "unblock", abstract: "Stop blocking people, or everybody.")
  package static let declaration = CommandDeclaration(
    arguments: [.word(.blocked)],
    meanings: ["unignore", "unmute"],
    examples: [
      .init("unblock mallory@example.org", "Let one through again."),
      .init("unblock --all", "Let everybody through."),
    ])

  @Argument(help: ArgumentHelp("Whom.", valueName: "jid"))
  package var addresses: [String] = []

  @Flag(help: "Everybody who is blocked.")
  package var all = false

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package func validate() throws {
    if addresses.isEmpty != all { throw ValidationError("name whom to unblock, or give '--all'") }
  }

  @Client package func run(in context: CommandContext) async throws {
    let jids = try await context.addresses(addresses)
    let blocking = try await context.session().features[Blocking.self]
    if all {
      let all = try await blocking.unblockAll()
      if all.isEmpty { context.showNothing("Nobody is blocked.") }
      for jid in all { try await context.showNext(BlockRow(jid, .unblocked, context)) }
      return
    }
    let blocked = Set(try await blocking.blocked())
    try await blocking.unblock(jids)
    var failures: [FeatureError] = []
    for jid in jids.withoutRepeats {
      if blocked.contains(jid) {
        try await context.showNext(BlockRow(jid, .unblocked, context))
      } else {
        failures.append(FeatureError(.notFound, "\(jid) is not blocked."))
      }
    }
    for failure in failures.dropLast() { context.fail(CommandFailure(failure)) }
    if let last = failures.last { throw last }
  }
}

/// `blocked`: who is.
package struct BlockedCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "blocked", abstract: "Show who is blocked.",
    discussion: "At the prompt, without a connection: who was blocked when the server last told, and when that was.")
  package static let declaration = CommandDeclaration(
    meanings: ["blocklist", "ignored"],
    examples: [
      .init("blocked", "Who is blocked.")
    ])

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    var stored: BlockSnapshot?
    let source = try await context.source {
      try await context.session()
    } or: { session in
      stored = session.features[Blocking.self].recall()
      return stored.map { .some($0.time) }
    }
    let blocked =
      if let stored {
        stored.jids.sorted { $0.description < $1.description }
      } else {
        try await source.session.features[Blocking.self].blocked()
      }
    if blocked.isEmpty { context.showNothing("Nobody is blocked.") }
    for jid in blocked {
      try await context.showNext(BlockedRow(jid: jid))
    }
  }
}

/// Somebody's blocking changed, or did not have to.
package struct BlockRow: CommandRow {
  /// What the server confirmed.
  package enum Outcome: String, Encodable, Sendable, CaseIterable { case blocked, already, unblocked }

  /// Whom it is about: a JID, or a whole domain.
  package var jid: JID
  /// What became of them.
  package var outcome: Outcome
  private var person: CalledPerson
  /// What happened is shown as an event already, to those who read.
  private var isTold: Bool

  @Client init(_ jid: JID, _ outcome: Outcome, _ context: CommandContext) {
    self.jid = jid
    self.outcome = outcome
    person = context.called(jid)
    isTold = context.application.showsArrivals && outcome != .already
  }

  package var cells: [Cell] {
    if isTold { return [] }
    switch outcome {
    case .blocked: return [Cell("\(person.nameAndAddress) is blocked.", .sentence)]
    case .already: return [Cell("\(person.nameAndAddress) was blocked already.", .sentence)]
    case .unblocked: return [Cell("\(person.nameAndAddress) is no longer blocked.", .sentence)]
    }
  }

  private enum CodingKeys: String, CodingKey { case jid, outcome }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(jid.description, forKey: .jid)
    try container.encode(outcome, forKey: .outcome)
  }
}

/// Somebody who is blocked.
package struct BlockedRow: CommandRow {
  /// Whom it is about: a JID, or a whole domain.
  package var jid: JID
  package var cells: [Cell] { [Cell(jid.description, .jid)] }

  private enum CodingKeys: String, CodingKey { case jid }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(jid.description, forKey: .jid)
  }
}

extension CommandContext.Source {
  /// Who is blocked, domains among them; nil where that is not known.
  @Client func blocked() async throws -> Set<JID>? {
    let blocking = session.features[Blocking.self]
    guard isOnline else { return blocking.recall()?.jids }
    do {
      return try await blocking.entries()
    } catch {
      // What else there is to show is worth showing without.
      try Task.checkCancellation()
      return nil
    }
  }
}

extension [JID] {
  /// Each once, in the order of its first place.
  fileprivate var withoutRepeats: [JID] {
    var seen: Set<JID> = []
    return filter { seen.insert($0).inserted }
  }
}
