// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawSession

/// Somebody's vCard as a part of what else is known of them: one line of text a field, one array in JSON.
struct VCardSummary: Encodable, Sendable {
  private struct Field: Encodable {
    var field: String
    var uses: [String]
    var value: String?
    var type: String?
    var size: Int?
    var sha1: String?
  }

  private let fields: [Field]
  /// `email.work: bob@example.org`, in the card's order; from the network, unescaped.
  let lines: [String]

  init(_ card: VCard) {
    let photo = card.photo
    fields =
      card.properties.map { Field(field: $0.field.rawValue, uses: $0.uses, value: $0.value) }
      + (photo.map {
        [Field(field: "photo", uses: [], value: $0.uri, type: $0.type, size: $0.size, sha1: $0.sha1)]
      } ?? [])
    lines =
      card.properties.map { "\(([$0.field.rawValue] + $0.uses).joined(separator: ".")): \($0.text)" }
      + (photo.map { ["photo: \($0.text)"] } ?? [])
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(fields)
  }
}

extension VCard.Photo {
  /// Where the picture is, or what is known of it: `image/png, 512 bytes, SHA-1 …`. From the network, unescaped.
  var text: String {
    if let uri { return uri }
    return [type, size.map { "\($0) bytes" }, sha1.map { "SHA-1 \($0)" }].compactMap { $0 }.joined(separator: ", ")
  }
}
