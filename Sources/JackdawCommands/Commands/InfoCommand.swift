// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `info`: what others are and can do.
package struct InfoCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Show what people, clients and servers are and can do.",
    discussion: """
      For a friend, their clients that are online are asked too. What is not answered is left out; when nothing is answered, \
      or not in time, the command fails.
      """)
  package static let declaration = CommandDeclaration(
    arguments: [.word(.friend)],
    meanings: ["whois", "version", "disco", "time", "software", "finger", "last_activity"],
    examples: [
      .init("info example.org", "What a server can do."),
      .init("info bob@example.org", "Bob and his clients."),
    ])

  @Argument(
    help: ArgumentHelp("Whom to ask: an account, a client (with its resource) or a server.", valueName: "jid"),
    completion: .declared)
  package var addresses: [String]

  @Flag(help: "Show everything, even where it is more than a screen; as -v does.")
  package var all = false

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let jids = try await context.addresses(addresses)
    let session = try await context.session()
    // Who is online is told only to those who are online themselves.
    let friends = session.features[FriendManager.self]
    if jids.contains(where: \.isAccount) {
      try await friends.load()
      if jids.contains(where: { $0.isAccount && Self.showsClients($0, session) }) {
        _ = try await context.reachableSession()
      }
    }
    try await context.each(jids) { jid in
      let clients = Self.clients(of: jid, session)
      try await ask(jid, and: clients, session, context)
    }
  }

  /// Whether the server tells us of the clients of this account.
  @Client private static func showsClients(_ jid: JID, _ session: Session) -> Bool {
    if jid == session.identity.account { return true }
    switch session.features[FriendManager.self].item(for: jid)?.subscription {
    case .to, .both: return true
    default: return false
    }
  }

  @Client private static func clients(of jid: JID, _ session: Session) -> [JID] {
    guard jid.isAccount, showsClients(jid, session) else { return [] }
    return session.features[PresenceBoard.self].resources(of: jid).map(\.jid)
  }

  /// Asks an address and the clients that stand for it; one answer is enough to be one.
  @Client private func ask(
    _ named: JID, and clients: [JID], _ session: Session, _ context: CommandContext
  ) async throws {
    let group = RequestGroup(limit: SessionLimits.requestsAtLogin)
    let asked = ([named] + clients).map { jid in
      group.add(jid.description) {
        try await Inquiry(jid, session, context.timeout, withCard: jid == named).findings()
      }
    }
    var failures: [RequestGroupError.Failure] = []
    do {
      try await group.run()
    } catch {
      failures = error.failures
    }
    let found = asked.compactMap { try? $0.value }
    for findings in found {
      try await context.showNext(InfoRow(findings: findings, isWhole: all || context.application.settings.isVerbose))
    }
    if let late = found.lazy.compactMap(\.unanswered).first { throw late }
    if let failure = failures.first(where: { !Inquiry.isAnswer($0.error) }) { throw failure.error }
    if found.isEmpty, let failure = failures.first { throw failure.error }
  }
}

extension JID {
  /// Somebody's bare JID.
  fileprivate var isAccount: Bool { isBare && localpart != nil }
}
