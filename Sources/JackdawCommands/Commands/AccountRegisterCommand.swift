// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML

/// `account register`: makes an account at a server, and adds it to the configuration file.
package struct AccountRegisterCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "register", abstract: "Make a new account at a server, and add it to the configuration file.",
    discussion: """
      The server has to let everybody do so. The password is that of --password-file or JACKDAW_PASSWORD, else it is asked \
      for twice, without echo. What a server wants to know besides is asked for on the terminal; --field email=you@example.org \
      answers it beforehand, and in scripts, where the names of what is missing are told with exit code 64. A CAPTCHA cannot be \
      answered here: the server's web page is named instead. Into the file goes what 'account add' would put there; \
      of an account that is there already, the new password in place of one that the file holds.
      """)
  package static let declaration = CommandDeclaration(
    place: .shell, arguments: [.word(.nothing)], options: ["--name": .nothing, "--field": .nothing],
    runsApart: true, meanings: ["register", "signup", "create"],
    examples: [
      .init("account register you@example.org", "Make an account at example.org."),
      .init(
        "account register you@example.org --field email=you@example.net",
        "Answer one of the server's questions beforehand."),
    ])

  @Argument(help: ArgumentHelp("The address that the account is to have.", valueName: "jid"))
  package var address: String

  @Option(help: ArgumentHelp("What to call it; by its address otherwise.", valueName: "name"))
  package var name: String?

  @Option(help: ArgumentHelp("An answer to a question of the server's; repeatable.", valueName: "name=value"))
  package var field: [String] = []

  @Flag(help: "Leave the configuration file as it is.")
  package var noAdd = false

  @OptionGroup(title: SharedOptions.title) package var given: SharedOptions
  package init() {}

  /// As if `--jid` named the address: nothing of another account that is the default one is to be taken for this.
  package var shared: SharedOptions {
    var shared = given
    // What is no address is named as what was typed, by ``run(in:)``, and not as a '--jid'.
    if shared.account.isEmpty, (try? JID(address))?.localpart != nil { shared.jid = address }
    return shared
  }

  package func validate() throws {
    if name?.isEmpty ?? false { throw ValidationError("'--name' is empty") }
    if given.jid != nil { throw ValidationError("the address is given without '--jid'") }
    if let wrong = field.first(where: { $0.first == "=" || !$0.contains("=") }) {
      throw ValidationError("'--field \(wrong)' is not NAME=VALUE")
    }
  }

  @Client package func run(in context: CommandContext) async throws {
    let application = context.application
    let asked = try JID(address).folded
    guard asked.localpart != nil else {
      throw CommandFailure(
        .badInput, "jid-malformed", "'\(address)' is a server. Did you mean somebody like you@\(address)?")
    }
    let account = try application.settings.account()
    guard asked.bare == account.bare else {
      throw CommandFailure(.usage, "usage", "The account '\(given.account.first ?? "")' is \(account), not \(address).")
    }
    let file = application.settings.configurationFile
    let taken = try file.load()
    let isKnown = taken.accounts.contains { $0.jid.bare == account.bare }
    let name = name ?? account.bare.description
    if !noAdd, !isKnown, taken[name] != nil {
      throw CommandFailure(.configuration, "conflict", "There is an account '\(name)' already. Choose another --name.")
    }
    // Before there is an account whose password is nowhere.
    if !noAdd, !isKnown { try file.requireOwnFolder() }
    let values = try values()
    let password = try await password(for: account, application)
    try await register(account, password, values, application)
    guard !noAdd else { return context.show(AccountStepRow(account, .registered)) }
    do throws(CommandFailure) {
      if isKnown {
        // It was that of an account which is no more.
        try PasswordChange(of: account, in: file).settle(on: password)
      } else {
        var entry = Configuration.Account(name: name, jid: account)
        entry.take(application.settings.given)
        entry.password = Self.kept(application.settings.password) ?? .inline(password)
        try file.add(entry)
      }
    } catch {
      throw CommandFailure(error.code, error.condition, "\(account.bare) is registered, but: \(error.text)")
    }
    context.show(AccountStepRow(account, .registered, name: isKnown ? nil : name))
  }

  /// The file that the password is in, by option or environment; nil: it is to be written down itself.
  static func kept(_ source: PasswordSource?) -> PasswordSource? {
    if case .file(let path) = source { PasswordSource.file(toKeep: path) } else { nil }
  }

  @Client private func register(
    _ account: JID, _ password: String, _ values: [String: String], _ application: Application
  ) async throws {
    do {
      try await application.register(account, password: password, fields: values, canAsk: application.secrets != nil)
    } catch let error as ConnectionError where error.condition == RegistrationFormError.Code.missingFields.name {
      throw CommandFailure(
        .usage, RegistrationFormError.Code.missingFields.name,
        "\(error.description) Answer each with --field NAME=VALUE, or run this on a terminal.")
    } catch let asked as RegistrationAsked {
      guard let terminal = application.secrets else { throw asked }
      let answers = try await RegistrationDialogue(
        with: account.domain, output: application.output, terminal: terminal
      ).answers(to: asked.form, besides: values)
      try await application.register(account, password: password, fields: values.merging(answers) { $1 })
    }
  }

  private func values() throws(CommandFailure) -> [String: String] {
    var values: [String: String] = [:]
    for pair in field {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard StanzaWriter.canCarry(pair) else {
        throw CommandFailure(.badInput, "bad-input", "'--field \(pair)' has a character that cannot be sent.")
      }
      values[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
    }
    return values
  }

  @Client private func password(for account: JID, _ application: Application) async throws -> String {
    if application.settings.password != nil { return try await application.knownPassword() }
    return try await NewPassword(for: account, terminal: application.secrets).ask(
      otherwise: "use --password-file, or set JACKDAW_PASSWORD")
  }
}
