// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol
package import JackdawSession

/// One field of a vCard.
package struct VCardRow: CommandRow {
  /// Whose card it is, bare.
  package var jid: JID
  /// One property as it came; from the network, unescaped.
  package var property: VCard.Property?
  /// What is known of the picture, without its bytes; nil where there is none.
  package var photo: VCard.Photo?

  package init(jid: JID, _ property: VCard.Property) {
    self.jid = jid
    self.property = property
  }

  package init(jid: JID, _ photo: VCard.Photo) {
    self.jid = jid
    self.photo = photo
  }

  /// `email`, `photo`.
  private var field: String { property?.field.rawValue ?? "photo" }
  private var uses: [String] { property?.uses ?? [] }

  package var cells: [Cell] {
    [Cell(([field] + uses).joined(separator: "."), .heading), Cell(property?.text ?? photo?.text ?? "")]
  }

  private enum CodingKeys: String, CodingKey { case jid, field, uses, value, type, size, sha1 }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(jid.description, forKey: .jid)
    try container.encode(field, forKey: .field)
    try container.encode(uses, forKey: .uses)
    try container.encode(property?.value ?? photo?.uri, forKey: .value)
    guard let photo else { return }
    try container.encode(photo.type, forKey: .type)
    try container.encode(photo.size, forKey: .size)
    try container.encode(photo.sha1, forKey: .sha1)
  }
}

/// A field of one's own vCard was changed.
package struct VCardChangeRow: CommandRow {
  /// The change that the server confirmed.
  package var edit: VCardEdit

  package init(_ edit: VCardEdit) { self.edit = edit }

  private var field: String { ([edit.field.rawValue] + (edit.use.map { [$0] } ?? [])).joined(separator: ".") }
  private var property: VCard.Property { VCard.Property(edit.field, edit.parts) }

  package var cells: [Cell] {
    edit.parts.isEmpty
      ? [Cell("Your vCard has no \(field) any more.")] : [Cell("Your vCard says now: \(field) \(property.text)")]
  }

  private enum CodingKeys: String, CodingKey { case field, value }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(field, forKey: .field)
    try container.encode(edit.parts.isEmpty ? nil : property.value, forKey: .value)
  }
}
