// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawCommands
package import JackdawLoop
package import JackdawProtocol
package import JackdawSession

/// What programs read: JSON Lines on stdout as Docs/JSON.md describes them; those of one turn of the loop go out together. Remarks and failures go to
/// stderr for people as well.
@Client package final class JSONOutput: Output {
  private let out: any TextSink
  private let errors: any TextSink
  private let wallClock: @Client () -> Timestamp
  private let verbosity: Verbosity
  private var hasProgress = false

  package init(
    out: any TextSink, errors: any TextSink, wallClock: @escaping @Client () -> Timestamp,
    verbosity: Verbosity = .normal
  ) {
    self.out = out
    self.errors = errors
    self.wallClock = wallClock
    self.verbosity = verbosity
  }

  package func show(_ row: any CommandRow, of command: String, account: JID?) {
    write { try row.jsonLine(of: command, at: $0, account: account?.bare.description) }
  }

  package func show(document: [UInt8]) { out.write(line: document) }

  package func show(_ event: any ClientEvent, of account: JID) {
    write { try event.jsonLine(at: $0, account: account.bare.description) }
  }

  package func notice(_ text: String) {
    if verbosity > .quiet { remark(TextOutput.words(text)) }
  }

  package func warn(_ text: String) { remark(TextOutput.words(text)) }

  package func progress(_ text: String?) {
    guard verbosity > .quiet else { return }
    hasProgress = text != nil
    if !errors.style.isSpoken { errors.write(progress: text) }
  }

  /// What is written next stands on a line of its own.
  private func clearProgress() { if hasProgress { progress(nil) } }

  package func detail(_ text: String) {
    if verbosity == .verbose { remark(TextOutput.words(text)) }
  }

  package func trace(_ text: String) { remark(text) }

  package func fail(_ failure: CommandFailure, account: JID?) {
    guard failure.condition != CommandFailure.brokenPipe else { return }
    write { try failure.jsonLine(at: $0, account: account?.bare.description) }
    out.settle()
    let layout = EntryLayout(style: errors.style, columns: errors.columns)
    let program = EntryLayout.Label(text: "jackdaw", look: .bad, separator: ": ")
    errors.write(layout.entry(time: "", label: program, lines: TextOutput.lines(of: failure)))
    errors.settle()
  }

  package func whenOut(_ action: @escaping @Client () -> Void) { out.whenOut(action) }

  package var holdsBack: Bool { out.holdsBack }
  package func whenRoom(_ action: @escaping @Client () -> Void) { out.whenRoom(action) }

  package func clearScreen() { out.clearScreen() }

  package func settle() {
    errors.settle()
    out.settle()
  }

  package func sendOn() { out.settle() }

  package func flush() async throws(CommandFailure) {
    settle()
    try await out.flush(beside: errors)
  }

  private func remark(_ text: String) {
    clearProgress()
    out.settle()
    let layout = EntryLayout(style: errors.style, columns: errors.columns)
    errors.write(layout.plain(Escaper.lines(text)))
    errors.settle()
  }

  private func write(_ line: (Timestamp) throws -> [UInt8]) {
    clearProgress()
    do {
      out.write(line: try line(wallClock()))
    } catch {
      preconditionFailure("something that is no JSON object: \(error)")
    }
  }
}
