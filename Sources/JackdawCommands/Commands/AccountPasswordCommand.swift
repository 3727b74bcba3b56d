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
      configuration file holds the old one, it gets the new one; a password file, a password manager and the environment \
      are yours to change.
      """)
  package static let declaration = CommandDeclaration(options: ["--new-password-file": .file])

  @Option(help: ArgumentHelp("A file that holds the new password.", valueName: "file"), completion: .file())
  package var newPasswordFile: String?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let application = context.application
    let account = try application.settings.account()
    // Whatever has to be typed is typed before the network's time begins; the old one first, as everywhere.
    _ = try await application.knownPassword()
    let new = try await newPassword(for: account, application)
    try await context.session().changePassword(to: new)
    try keep(new, account, application)
    context.show(AccountStepRow(account, .passwordChanged))
    tellWhereTheOldOneIs(context)
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

  /// Writes it into each entry of the account that holds a password.
  @Client private func keep(_ password: String, _ account: JID, _ application: Application) throws {
    let file = application.settings.configurationFile
    do throws(CommandFailure) {
      for entry in try file.load().accounts where entry.jid.bare == account.bare {
        if case .inline = entry.password { try file.setPassword(password, of: entry.name) }
      }
    } catch {
      throw CommandFailure(
        error.code, error.condition, "the password of \(account.bare) is changed at the server, but: \(error.text)")
    }
  }

  @Client private func tellWhereTheOldOneIs(_ context: CommandContext) {
    switch context.application.settings.password {
    case .file(let path): context.output.notice("the old password is still in \(path)")
    case .command(let words): context.output.notice("'\(words.first ?? "")' still knows the old password only")
    case .environment: context.output.notice("JACKDAW_PASSWORD still has the old password")
    case .inline, nil: break
    }
  }
}
