// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `friends import`: adds what a file has and the contact list has not.
package struct FriendsImportCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Add the contacts of a file that are missing here.",
    discussion: """
      Reads what 'friends export' writes, and CSV of other programs: address, name, groups. Who is missing is added with name and \
      groups; whose presence was seen there is asked. An entry that is here keeps its name and groups. Each contact is reported; a \
      line that is wrong is named, and the others go on.
      """)
  package static let declaration = CommandDeclaration(
    arguments: [.word(.file)], options: ["--format": .words(ContactFormat.allCases.map(\.rawValue))],
    meanings: ["restore"],
    examples: [
      .init("friends import friends.json", "Add who is missing here."),
      .init("friends import --format csv people.csv", "From a table."),
    ])

  @Option(help: ArgumentHelp("json or csv; else the content decides.", valueName: "format"))
  package var format: ContactFormat?

  @Argument(help: ArgumentHelp("The file; '-' is stdin.", valueName: "file"), completion: .file())
  package var file: String

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  /// A long list takes its time; each step has its own limit.
  package var isLimited: Bool { false }
  package var asksAtOnce: Bool { true }

  @Client package func run(in context: CommandContext) async throws {
    let document = try await document(context)
    let entries = (format ?? ContactFormat(content: document)).entries(of: document)
    let session = try await context.reachableSession()
    let friends = session.features[FriendManager.self]
    let report = Report(entries.count, context)
    let group = RequestGroup(limit: SessionLimits.requestsAtLogin)
    var seen: [JID: Int] = [session.identity.account: 0]
    for (index, entry) in entries.enumerated() {
      let line = entry.line
      do throws(ContactProblem) {
        let record = try entry.record.get()
        if let first = seen[record.jid] {
          report.add(index, FriendsImportRow(line: line, jid: record.jid, outcome: .repeated(first)))
          continue
        }
        seen[record.jid] = line
        group.add("line \(line)") { result in
          switch result {
          case .success(let outcome): report.add(index, FriendsImportRow(line: line, jid: record.jid, outcome: outcome))
          case .failure(let error): report.add(index, CommandFailure(error).located("line \(line)"))
          }
        } _: {
          try await Self.take(record, friends)
        }
      } catch {
        report.add(index, CommandFailure(.badInput, "bad-input", Sentence.ended("line \(line): The contact \(error)")))
      }
    }
    // Each failure is told by itself.
    try? await group.run()
    if Task.isCancelled, let failure = report.lastFailure { context.fail(failure) }
    try Task.checkCancellation()
    if let failure = report.lastFailure { throw failure }
  }

  /// Tells what each contact came to, in the file's order.
  @Client private final class Report {
    private(set) var lastFailure: CommandFailure?
    private var waiting: [Result<FriendsImportRow, CommandFailure>?]
    private var next = 0
    private let context: CommandContext

    init(_ count: Int, _ context: CommandContext) {
      waiting = Array(repeating: nil, count: count)
      self.context = context
    }

    func add(_ index: Int, _ row: FriendsImportRow) { add(index, .success(row)) }
    func add(_ index: Int, _ failure: CommandFailure) { add(index, .failure(failure)) }

    private func add(_ index: Int, _ result: Result<FriendsImportRow, CommandFailure>) {
      waiting[index] = result
      while next < waiting.count, let result = waiting[next] {
        waiting[next] = nil
        next += 1
        switch result {
        case .success(let row): context.show(row)
        case .failure(let failure):
          // Whoever interrupts it is told so once, and not of each contact that was still to come.
          if failure.code == .interrupted { continue }
          // The last one is told by whoever runs the command.
          if let lastFailure { context.fail(lastFailure) }
          lastFailure = failure
        }
      }
    }
  }

  /// Adds what is missing, and nothing else.
  @Client private static func take(
    _ record: ContactRecord, _ friends: FriendManager
  ) async throws -> FriendsImportRow.Outcome {
    if friends.item(for: record.jid) != nil {
      guard record.wantsPresence else { return .unchanged }
      switch friends.state(of: record.jid).ours {
      case .none: break
      case .pending: return .unanswered
      case .subscribed: return .unchanged
      }
      return .added(try await friends.add(record.jid), friends.state(of: record.jid))
    }
    guard record.wantsPresence else {
      try await friends.enter(record.jid, name: record.name, groups: record.groups)
      return .entered
    }
    let added = try await friends.add(record.jid, name: record.name, groups: record.groups)
    return .added(added, friends.state(of: record.jid))
  }

  @Client private func document(_ context: CommandContext) async throws -> [UInt8] {
    guard file == "-" else { return try ContactFile(path: file, in: context.application).read() }
    // In a line, stdin is where the lines come from.
    guard context.origin == .shell else {
      throw CommandFailure(.usage, "usage", "Here '-' is where the lines come from. Name a file.")
    }
    guard let document = try await context.application.input.rest(upTo: CommandLimits.contactFileBytes) else {
      throw ContactFile.tooLong("stdin")
    }
    return document
  }
}

/// What one contact of a file came to.
struct FriendsImportRow: CommandRow {
  enum Outcome: Equatable, Sendable {
    /// All of it was here.
    case unchanged
    /// All of it was here, but they have not answered our request, which may not have got there.
    case unanswered
    /// An earlier line has the same address; 0: it is our own.
    case repeated(Int)
    /// The entry is new; nobody was asked.
    case entered
    /// As `friends add` says it.
    case added(FriendManager.Added, SubscriptionState)

    var word: String {
      switch self {
      case .unchanged, .unanswered: "unchanged"
      case .repeated: "repeated"
      case .entered: "entered"
      case .added(let added, _): added.rawValue
      }
    }
  }

  /// The line that the contact begins in.
  var line: Int
  var jid: JID
  var outcome: Outcome

  var cells: [Cell] { [Cell("line \(line): \(sentence)", .sentence)] }

  private var sentence: String {
    switch outcome {
    case .unchanged: "\(jid) is already on your list."
    case .unanswered: "\(jid) is already on your list, and has not answered your request."
    case .repeated(0): "\(jid) is you."
    case .repeated(let first): "\(jid) is already in line \(first)."
    case .entered: "Put \(jid) on your list without asking them."
    case .added(let added, let state):
      FriendsAddCommand.sentence(added, CalledPerson(jid: jid, contactName: nil), state)
    }
  }

  private enum CodingKeys: String, CodingKey { case line, jid, outcome }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(line, forKey: .line)
    try container.encode(jid.description, forKey: .jid)
    try container.encode(outcome.word, forKey: .outcome)
  }
}
