// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Foundation
import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawStore

/// Measures how fast messages of an archive go into the log before its beginning, in pages as they are read backwards.
///
/// `ArchiveBenchmark FOLDER`: the databases are made in folders whose names begin so. Prints a line for `measure.sh`:
/// - `archive_stored`: messages a second, in the best of three rounds, as the disk is busy with other things too.
@main
enum ArchiveBenchmark {
  private static let messages = 100_000
  private static let page = 100
  /// 2026-11-01 12:00 UTC.
  private static let end: Int64 = 1_793_534_400_000
  private static let year: Int64 = 365 * 86_400_000

  static func main() {
    EventLoop.main.runMain {
      do {
        let rates = try (0..<3).map { try rate("\(CommandLine.arguments[1])\($0)") }
        print("archive_stored \(rates.max() ?? 0)")
      } catch {
        preconditionFailure("the measurement failed: \(error)")
      }
    }
  }

  @Client private static func rate(_ folder: String) throws -> Int {
    let account = try JID("alice@example.org")
    let store = AccountStore(directory: folder, account: account, isOneShot: false) { preconditionFailure("\($0)") }
    let people = try (0..<100).map { try JID("friend\($0)@example.org/phone.8fK2") }
    let pages = stride(from: 0, to: messages, by: page).map { begin in
      // Backwards: the first page is the newest, in each the oldest is the first.
      (0..<page).reversed().map { archived(begin + $0, account, people) }
    }
    _ = try store.earlier.walk(of: nil)
    let clock = ContinuousClock()
    var kept = 0
    let took = try clock.measure {
      for page in pages {
        let walk = try store.earlier.walk(of: nil)
        kept += try store.earlier.keep(page, of: nil, walk, before: page.first?.archiveID, isComplete: false)
      }
    }
    precondition(kept == messages, "\(kept) were kept")
    let seconds = Double(took.components.seconds) + Double(took.components.attoseconds) / 1e18
    return Int(Double(messages) / seconds)
  }

  /// The message that many before the end: an ordinary short one.
  @Client private static func archived(_ number: Int, _ account: JID, _ people: [JID]) -> ArrivedMessage {
    let friend = people[(number / 7) * (number / 7) % people.count]
    let isOurs = number % 5 < 2
    let event = MessageArrived(
      id: "stanza-id-of-\(number)-aaaaaa", from: isOurs ? account : friend, to: isOurs ? friend.bare : account,
      kind: .chat,
      body: "An ordinary message of some words, the \(number)th of this archive", carbon: isOurs ? .sent : nil)
    let time = end - Int64(number) * (year / Int64(messages))
    return ArrivedMessage(
      event, archiveID: "archive-\(number)-abcdefgh", hasUniqueID: true, mayBeRepeated: true,
      time: Timestamp(milliseconds: time), received: Timestamp(milliseconds: end))
  }
}
