// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CArguments
import JackdawCommands

/// The words of the command line, as they were given, also where there is no `/proc` to read them from.
enum Arguments {
  /// - Throws: ``CommandFailure`` with code 65 for a word that is not UTF-8: the standard library would put other signs in the
  ///   place of those that it cannot read, and a message would not say what its writer wrote.
  static func words() throws(CommandFailure) -> [String] {
    var words: [String] = []
    for index in 1..<max(1, jd_argument_count()) {
      guard let argument = jd_argument(index), let word = String(validatingCString: argument) else {
        throw CommandFailure(.badInput, "not-utf-8", "Word \(index) of the command line is not UTF-8.")
      }
      words.append(word)
    }
    return words
  }
}
