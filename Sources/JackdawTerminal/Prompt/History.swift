// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CReadline
import JackdawLoop

/// The history that the arrow keys and Ctrl-R walk through: readline's list, filled from the file and kept in it.
@Client final class History {
  private let file: HistoryFile?
  private var last: String?
  private var hasComplained = false

  init(file: HistoryFile?) { self.file = file }

  /// Reads the file. Returns what is wrong with it, if something is.
  func load() -> String? {
    readline.pointee.using_history()
    readline.pointee.stifle_history(Int32(TerminalLimits.historyEntries))
    do {
      for entry in try file?.load() ?? [] {
        readline.pointee.add_history(entry)
        last = entry
      }
      return nil
    } catch {
      return "The history of the prompt is not read: \(error)."
    }
  }

  /// Keeps a line, unless it begins with a space or repeats the one before. Returns what went wrong, if something did.
  func keep(_ line: String) -> String? {
    guard !line.isEmpty, line.utf8.first != 0x20, line != last else { return nil }
    last = line
    readline.pointee.add_history(line)
    guard let file, line.utf8.count <= TerminalLimits.historyEntryBytes else { return nil }
    do {
      try file.append(line)
      return nil
    } catch {
      if hasComplained { return nil }
      hasComplained = true
      return "The history of the prompt is not kept: \(error)."
    }
  }

  /// The end of the list, where a new line is typed.
  func rewind() { _ = readline.pointee.history_set_pos(jd_history_length()) }
}
