// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `account logout`: has the server take back the token with which this machine logs in.
package struct AccountLogoutCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "logout", abstract: "Take back what lets this machine log in without the password.",
    discussion: """
      Servers that can (XEP-0484) give each machine a token, which the next log-in uses in place of the password. It is \
      stored beside the messages, and taken back by this. Keys that are kept in the place of the password, or beside it, are removed. \
      Where the server cannot be told, what is here is removed all the same, and the command fails as its log-in did. \
      The next log-in is by the password again, and may get others.
      """)
  package static let declaration = CommandDeclaration(
    place: .shell, runsApart: true, meanings: ["logout", "revoke", "token"],
    examples: [.init("account logout", "Before a machine is given away.")])

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let account = try context.account()
    // Where nobody can read what is stored, nobody knows that it has neither a token nor keys.
    if context.application.storedData.path(account.jid.bare) != nil { try account.log.requireStored() }
    // Before a log-in that leaves keys of its own. The server knows of the token alone: without one there is none, which would want a password.
    let logins = account.logins
    let hadKeys = try logins.loadKeys() != nil
    let hadToken = try hasToken(logins, at: context.application.now())
    var isRevoked = false
    var refusal: CommandFailure?
    if hadToken {
      do {
        isRevoked = try await revokeToken(account, context)
      } catch {
        let failure = CommandFailure(error)
        if failure.code == .interrupted { throw error }
        refusal = failure
      }
    }
    // Whether or not the server hears of it: the machine may be given away.
    _ = try logins.forgetSecrets()
    if isRevoked { context.show(AccountStepRow(account.jid, .tokenRevoked)) }
    if refusal != nil { context.show(AccountStepRow(account.jid, .tokenRemoved)) }
    if hadKeys { context.show(AccountStepRow(account.jid, .keysRemoved)) }
    guard let refusal else {
      if !isRevoked, !hadKeys {
        context.showNothing("\(account.jid.bare) has neither a token nor keys on this machine.")
      }
      return
    }
    throw CommandFailure(
      refusal.code, refusal.condition,
      "\(refusal.text) The server does not know of it: for whoever has a copy the token is good until it runs out.")
  }

  /// Whether this machine has a token that the server may still take.
  @Client private func hasToken(_ logins: any LoginMemoryStore, at now: Timestamp) throws -> Bool {
    guard let token = try logins.loadInstallation()?.token else { return false }
    return token.expiry.map { $0 > now } ?? true
  }

  /// Logs in with the token, which the server takes back in the same exchange.
  /// - Returns: whether it did: one that it no longer takes is replaced by the password.
  @Client private func revokeToken(_ account: Account, _ context: CommandContext) async throws -> Bool {
    var configuration = try await account.configuration()
    configuration.revokesToken = true
    let live = account.makeLive(configuration, as: .probe)
    live.start()
    let session = try await live.online(within: context.timeout + CommandLimits.lastWord)
    return session.login?.mechanism.hasPrefix("HT-") == true
  }
}
