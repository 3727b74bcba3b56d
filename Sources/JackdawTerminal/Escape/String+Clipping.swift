// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

extension String {
  /// The text as it is, or as many of its first characters (Unicode scalars) and `…`. What is cut off is not looked at.
  func clipped(to limit: Int) -> String {
    guard utf8.count > limit, let end = unicodeScalars.index(startIndex, offsetBy: limit, limitedBy: endIndex),
      end < endIndex
    else { return self }
    return String(self[..<end]) + "…"
  }
}
