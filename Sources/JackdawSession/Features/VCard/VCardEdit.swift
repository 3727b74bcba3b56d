// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML

/// A change of one's own vCard: one field gets one value, or goes.
package struct VCardEdit: Sendable, Equatable {
  /// The property that is changed.
  package let field: VCard.Field
  /// `work` in `email.work`; nil: whichever comes first.
  package let use: String?
  /// Empty: the field goes.
  package let parts: [String]

  /// Reads words as people type them: `email.work` and `alice@example.org`, `n` and `Lovelace;Ada`.
  ///
  /// The parts of `n` (family, given, middle, prefix, suffix), `adr` (post-office box, extension, street, place, region,
  /// code, country) and `org` (name, units) are separated by `;`, a `\` before one makes it part of the text.
  /// - Throws: ``FeatureError`` with `.badInput`.
  package init(_ name: String, _ value: String) throws(FeatureError) {
    let words = name.lowercased().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let field = words.first.flatMap(VCard.Field.init) else {
      throw FeatureError(
        .badInput,
        "There is no field '\(name)': there are \(VCard.Field.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    let use = words.count > 1 ? words[1] : nil
    if let use, !field.uses.contains(use) {
      let known = field.uses.map { "\(field).\($0)" }.joined(separator: ", ")
      throw FeatureError(
        .badInput, "There is no '\(name)': \(known.isEmpty ? "there is only \(field)" : "there are \(known)").")
    }
    guard StanzaWriter.canCarry(value) else {
      throw FeatureError(.badInput, "The value has a character that cannot be sent.")
    }
    guard value.utf8.count <= VCardLimits.textBytes else {
      throw FeatureError(.badInput, "The value is longer than \(VCardLimits.textBytes) bytes.")
    }
    let parts = field.parts == 1 ? [value] : Self.split(value)
    let most = field.parts ?? VCardLimits.parts
    guard parts.count <= most else {
      throw FeatureError(.badInput, "'\(field)' has at most \(most) parts, and these are \(parts.count).")
    }
    self.field = field
    self.use = use
    self.parts = parts.allSatisfy(\.isEmpty) ? [] : parts
    if !self.parts.isEmpty { try check() }
  }

  private func check() throws(FeatureError) {
    switch field {
    case .bday:
      guard CivilDate(parts[0]) != nil else {
        throw FeatureError(.badInput, "'\(parts[0])' is not a date: write it like 1815-12-10.")
      }
    case .email:
      guard parts[0].contains("@"), !parts[0].contains(where: \.isWhitespace) else {
        throw FeatureError(.badInput, "'\(parts[0])' is not an email address.")
      }
    case .fn, .n, .nickname, .tel, .adr, .org, .title, .role, .url, .jid, .desc:
      break
    }
  }

  private static func split(_ value: String) -> [String] {
    var parts = [String.UnicodeScalarView()]
    var isEscaped = false
    // Not by characters: a mark that begins a part would be one with the sign before it.
    for scalar in value.unicodeScalars {
      if !isEscaped, scalar == "\\" {
        isEscaped = true
        continue
      }
      if !isEscaped, scalar == ";" {
        parts.append(String.UnicodeScalarView())
      } else {
        parts[parts.count - 1].append(scalar)
      }
      isEscaped = false
    }
    if isEscaped { parts[parts.count - 1].append("\\") }
    return parts.map { String($0) }
  }
}
