// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What somebody tells of themselves, whichever of the two formats it came in. All of it is that person's words.
package struct VCard: Sendable, Equatable {
  /// What can be told, in the order in which it is shown.
  package enum Field: String, Sendable, CaseIterable {
    case fn, n, nickname, email, tel, adr, org, title, role, bday, url, jid, desc

    /// How many parts it has, in the order of RFC 2426 3.1.2 and 3.2.1; nil: any number (ORG). 1: a plain text.
    var parts: Int? {
      switch self {
      case .n: 5
      case .adr: 7
      case .org: nil
      case .fn, .nickname, .email, .tel, .title, .role, .bday, .url, .jid, .desc: 1
      }
    }

    /// The kinds of it that are told apart: `email.work`.
    package var uses: [String] {
      switch self {
      case .email, .adr: ["home", "work"]
      case .tel: ["home", "work", "cell", "fax", "pager", "video", "voice"]
      case .fn, .n, .nickname, .org, .title, .role, .bday, .url, .jid, .desc: []
      }
    }
  }

  /// One thing that is told.
  package struct Property: Sendable, Equatable {
    /// Which property it is.
    package var field: Field
    /// `work`, `home`, `cell` …
    package var uses: [String]
    /// One text; the parts of a name or an address, all of them; those of an organisation.
    package fileprivate(set) var parts: [String]

    /// - Parameter parts: those at the end may be left out.
    package init(_ field: Field, uses: [String] = [], _ parts: [String]) {
      self.field = field
      self.uses = uses
      self.parts = parts + Array(repeating: "", count: max(0, (field.parts ?? 0) - parts.count))
    }

    /// For people: a name as it is spoken, an address as it is written.
    package var text: String {
      let filled = parts.filter { !$0.isEmpty }
      guard field == .n else { return filled.joined(separator: ", ") }
      return [parts[3], parts[1], parts[2], parts[0], parts[4]].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// For programs: as `vcard set` takes it, the parts separated by `;` (RFC 2426 2.4.2).
    package var value: String {
      guard field.parts != 1 else { return parts.first ?? "" }
      var parts = parts[...]
      while parts.last == "" { parts.removeLast() }
      return parts.map(Self.escaped).joined(separator: ";")
    }

    private static func escaped(_ part: String) -> String {
      var escaped = String.UnicodeScalarView()
      for scalar in part.unicodeScalars {
        if scalar == "\\" || scalar == ";" { escaped.append("\\") }
        escaped.append(scalar)
      }
      return String(escaped)
    }
  }

  /// A picture. What it shows is not kept: a terminal has no use for it.
  package struct Photo: Sendable, Equatable {
    /// Where it is; nil for one that is in the card itself, which has a size then.
    package var uri: String?
    /// The media type, as it is claimed.
    package var type: String?
    /// Bytes.
    package var size: Int?
    /// In hexadecimal digits: what XEP-0153 calls it by.
    package var sha1: String?

    package init(uri: String? = nil, type: String? = nil, size: Int? = nil, sha1: String? = nil) {
      self.uri = uri
      self.type = type
      self.size = size
      self.sha1 = sha1
    }
  }

  /// In the order of ``Field``, those of one field as they came.
  package private(set) var properties: [Property] = []
  /// The picture as SHA-1, type and size; its bytes are never kept.
  package var photo: Photo?

  /// Reads a `<vCard/>` (XEP-0054); what is larger than the limits is left out.
  package init(_ properties: [Property] = [], photo: Photo? = nil) {
    self.photo = photo
    for property in properties { append(property) }
    sort()
  }

  /// True when nothing is in it that a person could read.
  package var isEmpty: Bool { properties.isEmpty && photo == nil }

  /// Takes a property in, within ``VCardLimits``; an empty one says nothing and is left out.
  mutating func append(_ property: Property) {
    guard property.parts.contains(where: { !$0.isEmpty }), properties.count < VCardLimits.properties else { return }
    var property = property
    property.parts = property.parts.prefix(VCardLimits.parts).map(VCardLimits.cut)
    properties.append(property)
  }

  /// To be called after the last ``append(_:)``.
  mutating func sort() {
    let order = Dictionary(uniqueKeysWithValues: Field.allCases.enumerated().map { ($1, $0) })
    properties = properties.enumerated()
      .sorted { (order[$0.element.field, default: 0], $0.offset) < (order[$1.element.field, default: 0], $1.offset) }
      .map(\.element)
  }
}

/// How much of a stranger's card is taken in. The stanza that brings it is limited by the decoder.
enum VCardLimits {
  /// A card with more telephone numbers and addresses than this was not written by a person.
  static let properties = 100
  /// Parts of one name, address or organisation: an address has seven.
  static let parts = 16
  /// Bytes of one text: a long description has some thousand.
  static let textBytes = 16_384
  /// Bytes of a media type: RFC 6838 4.2 allows 127 and a slash between two such names.
  static let typeBytes = 255

  /// `text`, shortened to what is taken in, at a character's end.
  static func cut(_ text: String) -> String { text.cut(toBytes: textBytes) }
}
