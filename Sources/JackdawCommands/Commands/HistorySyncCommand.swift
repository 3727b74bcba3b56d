// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
package import JackdawSession

/// `history sync`: fetches what is missing here.
package struct HistorySyncCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "Fetch from your server what was said and is not here.",
    discussion: """
      The prompt does it by itself, in the background. Whatever interrupts it, the next time goes on there. What is new stays unread; \
      what is older than all that is here counts as read.
      """)
  package static let declaration = CommandDeclaration(
    meanings: ["fetch", "mam"],
    examples: [
      .init("history sync", "Fetch what your server has and this machine lacks.")
    ])

  @Flag(help: "Everything your server has, whatever 'archive' in the configuration says.")
  package var all = false

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  /// Each answer of the server has its time; how many it takes nobody knows.
  package var isLimited: Bool { false }
  package var asksAtOnce: Bool { true }

  @Client package func run(in context: CommandContext) async throws {
    // What is fetched into memory alone is gone in a moment.
    try context.account().log.requireStored()
    let session = try await context.session()
    let time = LocalTime.system
    defer { context.output.progress(nil) }
    let extent = all ? .everything : context.application.settings.history.fetched
    let read = try await session.readArchive(extent) { progress, part in
      let back = progress.oldest.map { ", back to \(time.day($0))" } ?? ""
      let bar = part.map { Self.bar($0) + " " } ?? ""
      context.output.progress("\(bar)\(progress.messages) messages\(back)")
    }
    context.output.progress(nil)
    context.show(SyncedRow(read: read))
  }

  /// `[########------------]  40%`.
  /// - Parameter part: from 0 to 1.
  static func bar(_ part: Double) -> String {
    let done = Int(part * 20)
    let percent = String(Int(part * 100))
    return "[" + String(repeating: "#", count: done) + String(repeating: "-", count: 20 - done) + "] "
      + String(repeating: " ", count: 3 - percent.count) + percent + "%"
  }
}

/// What was said is here.
package struct SyncedRow: CommandRow {
  /// What was fetched.
  package var read: ArchiveRead

  package var cells: [Cell] {
    guard read.messages > 0 else { return [Cell("Nothing was missing.")] }
    let back = read.oldest.map { ", back to \(LocalTime.system.day($0))" } ?? ""
    return [Cell("Fetched \(read.messages == 1 ? "1 message" : "\(read.messages) messages")\(back).")]
  }

  package func encode(to encoder: any Encoder) throws { try read.encode(to: encoder) }
}
