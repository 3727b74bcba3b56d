// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// Keeps what was shown.
@Client final class RecordingOutput: Output {
  private(set) var rows: [(command: String, row: any CommandRow)] = []
  /// Whose each of them was.
  private(set) var rowAccounts: [JID?] = []
  private(set) var documents: [[UInt8]] = []
  private(set) var events: [any ClientEvent] = []
  /// Those that events were shown of.
  private(set) var accounts: Set<JID> = []
  private(set) var notices: [String] = []
  private(set) var failures: [CommandFailure] = []
  /// Whose each of them was.
  private(set) var failureAccounts: [JID?] = []
  /// Everything by its first words, in order: `row send`, `event message`, `notice`, `failure 64`.
  private(set) var order: [String] = []
  /// What was shown is not out yet.
  var holdsBack = false { didSet { if !holdsBack { letOut() } } }
  /// What is shown is not out yet, though there is room.
  var isOnItsWay = false { didSet { if !isOnItsWay { letOut() } } }

  private func letOut() {
    let due = held
    held = []
    for action in due { action() }
  }

  private var held: [@Client () -> Void] = []
  /// What `flush` throws.
  var flushFailure: CommandFailure?

  func show(_ row: any CommandRow, of command: String, account: JID?) {
    rows.append((command, row))
    rowAccounts.append(account)
    order.append("row " + command)
  }

  func show(document: [UInt8]) {
    documents.append(document)
    order.append("document")
  }

  func show(_ event: any ClientEvent, of account: JID) {
    events.append(event)
    accounts.insert(account)
    order.append("event " + event.name)
  }

  private(set) var progress: [String?] = []
  func progress(_ text: String?) { progress.append(text) }

  func notice(_ text: String) {
    notices.append(text)
    order.append("notice")
  }

  private(set) var warnings: [String] = []
  func warn(_ text: String) {
    warnings.append(text)
    order.append("warning")
  }

  func detail(_ text: String) {}
  func trace(_ text: String) {}

  func fail(_ failure: CommandFailure, account: JID?) {
    failures.append(failure)
    failureAccounts.append(account)
    order.append("failure \(failure.code.value)")
  }

  func whenOut(_ action: @escaping @Client () -> Void) {
    if holdsBack || isOnItsWay { held.append(action) } else { action() }
  }

  func whenRoom(_ action: @escaping @Client () -> Void) {
    if holdsBack { held.append(action) } else { action() }
  }

  /// What `/show` prints, by its number: what each piece is recorded as.
  var foldings: [Int: [String]] = [:]
  var foldedNumbers: [Int] { foldings.keys.sorted() }

  func unfolding(_ number: Int?) -> (any Unfolding)? {
    (number ?? foldings.keys.max()).flatMap { foldings[$0] }.map {
      Pieces($0) { [weak self] in self?.order.append($0) }
    }
  }

  private final class Pieces: Unfolding {
    private var pieces: ArraySlice<String>
    private let record: @Client (String) -> Void

    init(_ pieces: [String], record: @escaping @Client (String) -> Void) {
      self.pieces = pieces[...]
      self.record = record
    }

    func printNext() -> Bool {
      if let piece = pieces.popFirst() { record(piece) }
      return !pieces.isEmpty
    }
  }

  func settle() {}

  /// Called when what was shown is written.
  var onSending: (@Client () -> Void)?
  func sendOn() { onSending?() }

  func flush() async throws(CommandFailure) {
    if let flushFailure { throw flushFailure }
  }

  /// The rows of one type.
  func rows<Row: CommandRow>(_ type: Row.Type) -> [Row] { rows.compactMap { $0.row as? Row } }

  /// The texts of the messages that were shown.
  var messages: [String] { events.compactMap { ($0 as? MessageArrived)?.body } }

  /// Each row's cells with a bar between them.
  var lines: [String] { rows.map { $0.row.cells.map(\.text).joined(separator: "|") } }
}
