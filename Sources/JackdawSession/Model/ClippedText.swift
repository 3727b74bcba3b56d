// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

extension String? {
  /// nil where it is empty.
  var nonEmpty: String? { flatMap { $0.isEmpty ? nil : $0 } }
}

extension String {
  /// nil where it is empty.
  var nonEmpty: String? { isEmpty ? nil : self }

  /// As much of it, from its beginning, as fits into so many bytes of UTF-8, whole scalars only.
  func cut(toBytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var kept = ""
    var left = limit
    for scalar in unicodeScalars {
      left -= UTF8.width(scalar)
      guard left >= 0 else { break }
      kept.unicodeScalars.append(scalar)
    }
    return kept
  }
}
