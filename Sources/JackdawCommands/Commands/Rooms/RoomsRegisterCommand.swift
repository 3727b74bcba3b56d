// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML

/// `rooms register`: becomes a member of a room.
package struct RoomsRegisterCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "register",
    abstract: "Ask to be a member of a room, with a name of your own there; or be one no more.",
    discussion: """
      What the room wants to know besides is asked for on the terminal; --field answers it beforehand. The room may have an admin \
      decide.
      """)
  package static let declaration = CommandDeclaration(
    arguments: [.word(.room)], options: ["--nick": .nothing, "--field": .nothing],
    examples: [
      .init("rooms register tea@rooms.example.org --nick Al", "Become a member called Al."),
      .init("rooms register tea --remove", "Be a member no longer."),
    ])

  @Argument(help: ArgumentHelp("The room.", valueName: "room"), completion: .declared)
  package var room: String

  @Option(help: ArgumentHelp("What to be called; as everywhere otherwise.", valueName: "nick"))
  package var nick: String?

  @Option(help: ArgumentHelp("An answer to a question of the room's; repeatable.", valueName: "name=value"))
  package var field: [String] = []

  @Flag(help: "Be no member any more, and give up the name.")
  package var remove = false

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package func validate() throws {
    if remove, nick != nil || !field.isEmpty {
      throw ValidationError("--remove takes neither --nick nor --field")
    }
    if let wrong = field.first(where: { $0.first == "=" || !$0.contains("=") }) {
      throw ValidationError("'--field \(wrong)' is not NAME=VALUE")
    }
  }

  @Client package func run(in context: CommandContext) async throws {
    let jid = try await context.room(room)
    if let nick { try RoomsNickCommand.check(nick, in: jid) }
    let session = try await context.session()
    let administration = context.administration(session)
    if remove {
      do throws(RequestError) {
        try await administration.unregister(from: jid)
      } catch {
        throw Self.failure(removing: jid, error)
      }
      return context.show(RoomStepRow(jid, "unregistered", "You are no longer registered with \(jid)."))
    }
    switch try await registration(with: jid, administration) {
    case .registered(let nick):
      let name = nick.map { " as \($0)" } ?? ""
      context.show(RoomStepRow(jid, "already", who: nick, "You are registered with \(jid) already\(name)."))
    case .asks(let form):
      let nick = nick ?? session.features[Groupchat.self].record(of: jid)?.nick ?? session.identity.ownNick
      let values = try await values(form, nick: nick, jid, context)
      try await administration.register(with: jid, try form.filled(with: values))
      context.show(RoomStepRow(jid, "registered", who: nick, "You are registered with \(jid) as \(nick)."))
    }
  }

  /// What the room says to whoever wants to be a member; that it takes no registration is said in these words.
  @Client private func registration(
    with room: JID, _ administration: RoomAdministration
  ) async throws -> RoomRegistration {
    do throws(RequestError) {
      return try await administration.registration(with: room)
    } catch {
      throw Self.failure(room, error)
    }
  }

  private static func failure(_ room: JID, _ error: RequestError) -> any Error {
    guard takesNone.contains(error.stanzaError?.condition ?? "") else { return error }
    var failure = CommandFailure(error)
    failure.text = Sentence.joined(
      "\(room) takes no registrations. Its owners and admins say who is a member", error.stanzaError?.text)
    return failure
  }

  /// Why a registration cannot be removed: there may be none (XEP-0077 3.2).
  private static func failure(removing room: JID, _ error: RequestError) -> any Error {
    guard error.stanzaError?.condition == "registration-required" else { return failure(room, error) }
    return CommandFailure(.noUser, "registration-required", "You are not registered with \(room).")
  }

  /// How rooms without a form of registration answer (XEP-0045 7.10): those of ejabberd with service-unavailable.
  private static let takesNone: Set = [
    "feature-not-implemented", "not-acceptable", "not-allowed", "registration-required", "service-unavailable",
  ]

  @Client private func values(
    _ form: RegistrationForm, nick: String, _ jid: JID, _ context: CommandContext
  ) async throws -> [String: String] {
    var values: [String: String] = [:]
    for pair in field {
      let parts = try OutgoingText.checked(pair).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      values[String(parts[0])] = String(parts[1])
    }
    let names = form.form.map { $0.fields.compactMap(\.name) } ?? form.fields
    for name in [RoomRegistration.nickField, "nick", "username"] where names.contains(name) && values[name] == nil {
      values[name] = nick
    }
    let missing = try form.questions(besides: values).filter(\.isRequired)
    guard !missing.isEmpty else { return values }
    guard context.origin != .script, let terminal = context.application.secrets else {
      throw CommandFailure(
        .usage, RegistrationFormError.Code.missingFields.name,
        "\(jid) wants to know more: answer each of \(missing.map(\.name).joined(separator: ", ")) with --field NAME=VALUE."
      )
    }
    let dialogue = RegistrationDialogue(with: jid.description, output: context.output, terminal: terminal)
    return values.merging(try await dialogue.answers(to: form, besides: values)) { $1 }
  }
}
