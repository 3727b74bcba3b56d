// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol

/// `account remove`: takes one out of the configuration file, and what is stored of it off this machine where that is wanted.
package struct AccountRemoveCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Take an account out of the configuration file; the server keeps it.",
    discussion: """
      What is stored of it on this machine - messages, contacts, what waits to be sent - is deleted where you say so when \
      asked, or by --purge. Without a terminal to ask on it stays. An account that is not in the file, as it is given by --jid or \
      JACKDAW_JID, is named by its address: what is known of its log-ins is forgotten then.
      """)
  package static let declaration = CommandDeclaration(
    place: .shell, arguments: [.name(.account)],
    isTypedWhole: true, runsApart: true, meanings: ["delete", "rm"],
    examples: [
      .init("account remove home", "Take it out of the file.")
    ])

  @Argument(help: "Its name, as 'account list' shows it.", completion: .declared)
  package var name: String

  @Flag(inversion: .prefixedNo, help: "Delete what is stored of it on this machine, or keep it, without asking.")
  package var purge: Bool?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let application = context.application
    let file = application.settings.configurationFile
    let configuration = try file.load()
    let entry = configuration[name]
    guard let account = entry ?? unnamed(configuration, application) else { return try file.remove(name) }
    let jid = account.jid.bare
    let others = configuration.accounts.filter { $0.name != name }
    let path = application.storedData.path(jid)
    let isPurged = try await isToBePurged(jid, path, others, application)
    if entry != nil { try file.remove(name) }
    if isPurged {
      do {
        try application.storedData.delete(jid)
      } catch {
        let failure = CommandFailure(error)
        if entry == nil { throw failure }
        throw CommandFailure(
          failure.code, failure.condition,
          "'\(name)' is taken out of \(file.path), but not all that is stored of it is deleted: \(failure.text)")
      }
      // The lines that were entered say whom one wrote to.
      if others.isEmpty { application.storedData.deleteHistory() }
    } else if !others.contains(where: { $0.jid.bare == jid }) {
      try forgetLogins(of: jid, path, hadEntry: entry != nil, application)
    }
    context.showEntry(AccountRow(account: account, isDefault: false, change: "removed"))
    if let path, !isPurged { context.output.notice("What is stored of \(jid) on this machine stays in \(path).") }
    if !others.contains(where: { $0.jid.bare == jid }) { await tellWhoRuns(for: jid, context) }
  }

  /// - Parameters:
  ///   - path: where it is stored; nil: nothing is.
  ///   - hadEntry: the file had it until now.
  @Client private func forgetLogins(
    of jid: JID, _ path: String?, hadEntry: Bool, _ application: Application
  ) throws(CommandFailure) {
    do {
      try application.forgetLogins(of: jid)
    } catch {
      let failure = CommandFailure(error)
      guard hadEntry else { throw failure }
      let place = path.map { " in \($0)" } ?? ""
      throw CommandFailure(
        failure.code, failure.condition,
        "'\(name)' is taken out of \(application.settings.configurationFile.path), but what lets this machine log in may still be stored\(place): \(failure.text)"
      )
    }
  }

  /// The account of this address, which the file does not have, and of which something is stored here.
  @Client private func unnamed(_ configuration: Configuration, _ application: Application) -> Configuration.Account? {
    guard let jid = try? JID(name).folded, jid.localpart != nil, configuration.account(of: jid) == nil,
      application.storedData.path(jid.bare) != nil
    else { return nil }
    return Configuration.Account(jid)
  }

  /// Whoever runs for the account goes on without its entry, and is not found by its name any more.
  @Client private func tellWhoRuns(for jid: JID, _ context: CommandContext) async {
    let agent: AgentRow?
    do {
      guard let inquiry = try AgentInquiry(of: jid, in: context.application) else { return }
      agent = try await inquiry.status(within: CommandLimits.silence)
    } catch {
      agent = nil
    }
    guard let agent, agent.isAgent else { return context.output.notice("Another Jackdaw still runs for \(jid).") }
    let others = agent.accounts.filter { $0 != jid.description }
    let (also, all) = others.isEmpty ? ("", "") : (", for \(others.joined(separator: ", ")) too", " for all of them")
    context.output.notice("Its agent still runs\(also). To end it\(all), type: jackdaw --jid \(jid) agent stop")
  }

  /// - Parameters:
  ///   - path: where it is stored; nil: nothing is.
  ///   - others: the other accounts of the configuration.
  @Client private func isToBePurged(
    _ jid: JID, _ path: String?, _ others: [Configuration.Account], _ application: Application
  ) async throws(CommandFailure) -> Bool {
    if let other = others.first(where: { $0.jid.bare == jid }) {
      guard purge == true else { return false }
      throw CommandFailure(
        .usage, "in-use", "'\(other.name)' is \(jid) too, and needs its stored data: nothing was done.")
    }
    guard path != nil, try await isWanted(jid, application) else { return false }
    if application.storedData.isInUse(jid) {
      throw CommandFailure(
        .tryAgain, "in-use", "Another Jackdaw for \(jid) is running and uses the stored data. Nothing was done.")
    }
    return true
  }

  @Client private func isWanted(_ jid: JID, _ application: Application) async throws(CommandFailure) -> Bool {
    if let purge { return purge }
    guard application.isInputTerminal, let terminal = application.secrets else { return false }
    let answer = try await terminal.askLine(
      "Delete the messages and contacts of \(jid) that are stored on this machine too? [y/N] ")
    return ["y", "yes"].contains(answer.filter { !$0.isWhitespace }.lowercased())
  }
}
