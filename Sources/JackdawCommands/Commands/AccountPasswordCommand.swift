// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `account password`: another password, at the server and where it is written here.
package struct AccountPasswordCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "password", abstract: "Change the account's password.",
    discussion: """
      The new one is the first line of --new-password-file, else it is asked for twice, without echo. Where the \
      configuration file holds the old one, it gets the new one, and keeps both where the server does not answer; a password file, a password manager and the environment \
      are yours to change.
      """)
  package static let declaration = CommandDeclaration(
    options: ["--new-password-file": .file],
    runsApart: true, meanings: ["password", "passwd", "pass", "changepw", "changepassword"],
    examples: [
      .init("account password", "Be asked for the new one."),
      .init("account password --new-password-file new.txt", "Take it from a file."),
    ])

  @Option(help: ArgumentHelp("A file that holds the new password.", valueName: "file"), completion: .file())
  package var newPasswordFile: String?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let application = context.application
    let account = try context.account().jid
    // Whatever has to be typed is typed before the network's time begins; the old one first, as everywhere, also where the log-in has keys
    // in its place.
    let known = try await context.account().password.text()
    let new = try await newPassword(for: account, application)
    let session = try await context.session()
    guard session.configuration.otherPassword == nil else { throw FeatureError.undecidedPassword }
    let change = PasswordChange(of: account, in: application.settings.configurationFile)
    let isKept: Bool
    do throws(CommandFailure) {
      isKept = try change.propose(new, knowing: known)
    } catch {
      throw CommandFailure(error.code, error.condition, "The password was not changed: \(error.text)")
    }
    do {
      try await session.changePassword(to: new)
    } catch {
      if session.configuration.otherPassword == new {
        throw unanswered(error, isKept ? change : nil, (known, new), context)
      }
      if isKept { try change.proved(session.configuration.password ?? known) }
      throw error
    }
    do throws(CommandFailure) {
      try change.settle(on: new)
    } catch {
      throw CommandFailure(
        error.code, error.condition, "The password of \(account.bare) is changed at the server, but: \(error.text)")
    }
    context.show(AccountStepRow(account, .passwordChanged))
    await renewKeys(of: account, new, context)
    tellWhereTheOldOneIs(context)
  }

  /// Has the keys that stand for the password stand for the new one.
  @Client private func renewKeys(of account: JID, _ password: String, _ context: CommandContext) async {
    let application = context.application
    guard let settings = (try? context.account())?.settings, settings.store == .keys else { return }
    do {
      guard var entry = settings.configuredAccounts.first(where: { $0.name == settings.accountName }) else { return }
      entry.jid = account
      try await application.tryLogin(to: entry, password: password)
    } catch {
      context.output.notice("Nothing is kept in place of the new password: \(CommandFailure(error).text)")
    }
  }

  /// The failure to end with where the server may have done it or not.
  /// - Parameter change: nil: the configuration file holds no password of the account.
  @Client private func unanswered(
    _ error: any Error, _ change: PasswordChange?, _ passwords: (known: String, new: String), _ context: CommandContext
  ) -> any Error {
    var sentences = ["The password may be changed or not."]
    if let change {
      do throws(CommandFailure) {
        // Another Jackdaw may have logged in with the old one meanwhile, and forgotten the new one.
        try change.propose(passwords.new, knowing: passwords.known)
        sentences.append("\(change.file.path) has both: the new password is tried too at the next log-in.")
      } catch {
        sentences.append(error.text)
      }
    }
    let failure = CommandFailure(error)
    switch (try? context.account())?.settings.password {
    case .file(let path): sentences.append(Self.advice("\(path) has", "write the new one there"))
    case .command(let words): sentences.append(Self.advice("'\(words.first ?? "")' knows", "give it the new one"))
    case .environment: sentences.append(Self.advice("JACKDAW_PASSWORD has", "put the new one there"))
    case nil: sentences.append("If the next log-in refuses the old one, type the new one.")
    case .inline: break
    }
    let text = sentences.joined(separator: " ")
    guard failure.code != .interrupted else {
      context.output.notice("The server did not answer. \(text)")
      return error
    }
    return CommandFailure(failure.code, failure.condition, "\(failure.text) \(text)")
  }

  private static func advice(_ place: String, _ deed: String) -> String {
    "\(place) the old one: if the next log-in refuses that, \(deed)."
  }

  @Client private func newPassword(for account: JID, _ application: Application) async throws -> String {
    guard let newPasswordFile else {
      return try await NewPassword(for: account, terminal: application.secrets).ask(
        otherwise: "use --new-password-file")
    }
    return try await PasswordReader(
      source: .file(newPasswordFile), account: account, terminal: nil, sharesInput: false,
      timeout: application.settings.timeout, clock: application.clock, children: application.children
    ).password()
  }

  @Client private func tellWhereTheOldOneIs(_ context: CommandContext) {
    switch (try? context.account())?.settings.password {
    case .file(let path): context.output.notice("The old password is still in \(path).")
    case .command(let words): context.output.notice("'\(words.first ?? "")' still knows the old password only.")
    case .environment: context.output.notice("JACKDAW_PASSWORD still has the old password.")
    case .inline, nil: break
    }
  }
}
