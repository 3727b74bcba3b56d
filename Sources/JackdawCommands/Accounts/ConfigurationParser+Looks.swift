// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import TOMLKit

/// `theme` and `[colors]`.
extension ConfigurationParser {
  func theme(_ value: any TOMLValueConvertible, _ key: String) throws(CommandFailure) -> LookSettings.Theme {
    let word = try text(value, [key])
    guard let theme = LookSettings.Theme(rawValue: word) else {
      let known = LookSettings.Theme.allCases.map(\.rawValue)
      let hint = Suggestion.nearest(to: word, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
      throw wrong([key], "expected one of " + known.map { "\"\($0)\"" }.joined(separator: ", ") + hint)
    }
    return theme
  }

  func colors(
    _ value: any TOMLValueConvertible, _ key: String, into looks: inout LookSettings
  ) throws(CommandFailure) {
    guard let table = value.table else { throw wrong([key], "expected a table [\(key)]") }
    for name in table.keys.sorted() {
      guard let value = table[name] else { continue }
      let path = [key, name]
      if name == LookSettings.namesKey {
        looks.names = try names(value, path)
      } else if let role = LookSettings.Role(rawValue: name) {
        looks.colors[role] = try paint(value, path)
      } else {
        throw unknown(path, among: LookSettings.keys)
      }
    }
  }

  private func names(_ value: any TOMLValueConvertible, _ path: [String]) throws(CommandFailure) -> [Paint] {
    guard let list = value.array, !list.isEmpty else {
      throw wrong(path, "expected a list, each of it \(Paint.expected)")
    }
    var names: [Paint] = []
    for entry in list { names.append(try paint(entry, path)) }
    return names
  }

  private func paint(_ value: any TOMLValueConvertible, _ path: [String]) throws(CommandFailure) -> Paint {
    guard let paint = value.string.flatMap({ Paint($0) }) else { throw wrong(path, "expected \(Paint.expected)") }
    return paint
  }
}
