// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

extension StringProtocol {
  /// What a person typed, without the white space around it.
  package var trimmed: SubSequence {
    let inner = drop(while: \.isWhitespace)
    guard let last = inner.lastIndex(where: { !$0.isWhitespace }) else { return self[endIndex...] }
    return inner[...last]
  }
}
