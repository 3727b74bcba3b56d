// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// How an entry of several lines stays one line of the history file: a newline is `\n`, a backslash `\\`.
enum HistoryEscaping {
  static func escaped(_ entry: String) -> String {
    guard entry.utf8.contains(where: { $0 == 0x0A || $0 == 0x5C }) else { return entry }
    var line = ""
    for scalar in entry.unicodeScalars {
      switch scalar {
      case "\n": line += "\\n"
      case "\\": line += "\\\\"
      default: line.unicodeScalars.append(scalar)
      }
    }
    return line
  }

  static func unescaped(_ line: Substring) -> String {
    guard line.utf8.contains(0x5C) else { return String(line) }
    var entry = ""
    var isEscaped = false
    for scalar in line.unicodeScalars {
      if isEscaped {
        entry.unicodeScalars.append(scalar == "n" ? "\n" : scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else {
        entry.unicodeScalars.append(scalar)
      }
    }
    return entry
  }
}
