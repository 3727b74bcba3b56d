// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol

/// The verification string of XEP-0115 5: what is announced in presence stands for a whole answer to service discovery.
package struct CapabilityHash: Sendable, Hashable {
  /// The hashes that can be verified; by the names of IANA's registry.
  package enum Algorithm: String, Sendable, CaseIterable {
    case sha1 = "sha-1"
    case sha256 = "sha-256"
    case sha512 = "sha-512"

    fileprivate var hash: SCRAMHash {
      switch self {
      case .sha1: .sha1
      case .sha256: .sha256
      case .sha512: .sha512
      }
    }

    /// Bytes of the hash.
    fileprivate var length: Int {
      switch self {
      case .sha1: 20
      case .sha256: 32
      case .sha512: 64
      }
    }
  }

  /// The hash function's name in `<c hash=…/>` (XEP-0300): the only one that is computed here.
  package let algorithm: Algorithm
  /// The hash in Base64.
  package let ver: String

  /// What a peer announced; nil when it cannot be such a hash.
  package init?(_ algorithm: Algorithm, ver: String) {
    guard ver.utf8.count <= (algorithm.length + 2) / 3 * 4, Base64.decode(ver.utf8)?.count == algorithm.length else {
      return nil
    }
    self.algorithm = algorithm
    self.ver = ver
  }

  /// The hash of `information`, by the method of XEP-0115 5.1; nil when it is ill-formed (5.4), or OpenSSL would not.
  package init?(of information: DiscoveryInformation, _ algorithm: Algorithm = .sha1) {
    guard let text = Self.text(of: information), let digest = SCRAMCrypto.digest(algorithm.hash, text) else {
      return nil
    }
    self.algorithm = algorithm
    ver = String(decoding: Base64.encode(digest), as: UTF8.self)
  }

  /// Whether this is the hash of `information`, and stands for nothing else that makes sense.
  package func isTrue(of information: DiscoveryInformation) -> Bool {
    Self.isUnambiguous(information) && CapabilityHash(of: information, algorithm) == self
  }

  // MARK: The text that is hashed

  /// nil when `information` is ill-formed.
  private static func text(of information: DiscoveryInformation) -> [UInt8]? {
    guard Set(information.identities).count == information.identities.count,
      Set(information.features).count == information.features.count
    else { return nil }
    var forms: [(type: String, fields: [DataForm.Field])] = []
    for form in information.forms {
      // 5.4: a form without a hidden FORM_TYPE is left out; one with several makes the whole ill-formed.
      guard let type = form.hiddenType else { continue }
      guard form.fields.allSatisfy({ $0.name != DataForm.typeField || Set($0.values).count == 1 }),
        !forms.contains(where: { $0.type == type })
      else { return nil }
      forms.append((type, form.fields))
    }
    var text: [UInt8] = []
    func append(_ part: String) {
      text.append(contentsOf: part.utf8)
      text.append(UInt8(ascii: "<"))
    }
    let identities = information.identities.map { [$0.category, $0.type, $0.language ?? "", $0.name ?? ""] }
    for identity in identities.sorted(by: { $0.lexicographicallyPrecedes($1, by: octetsPrecede) }) {
      append(identity.joined(separator: "/"))
    }
    for feature in information.features.sorted(by: octetsPrecede) { append(feature) }
    for form in forms.sorted(by: { octetsPrecede($0.type, $1.type) }) {
      append(form.type)
      let fields = form.fields.filter { $0.name != DataForm.typeField }
      for field in fields.sorted(by: { octetsPrecede($0.name ?? "", $1.name ?? "") }) {
        append(field.name ?? "")
        for value in field.values.sorted(by: octetsPrecede) { append(value) }
      }
    }
    return text
  }

  /// The collation `i;octet` (RFC 4790 9.3). Swift's own order of strings is another.
  private static func octetsPrecede(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  // MARK: One text for two answers

  /// Refuses what may be another answer in disguise: the text that is hashed does not say where identities end and
  /// features or forms begin, so that a liar may find a second answer of the same hash, in which an identity stands as
  /// a feature, or features are hidden in a form (XEP-0115 8.3).
  private static func isUnambiguous(_ information: DiscoveryInformation) -> Bool {
    !information.identities.isEmpty
      && information.identities.allSatisfy { identity in
        !(identity.name ?? "").contains("<")
          && ![identity.category, identity.type, identity.language ?? ""].contains {
            $0.contains("/") || $0.contains("<")
          }
      }
      && information.features.allSatisfy { !$0.contains("<") && !looksLikeIdentity($0) }
      && information.forms.allSatisfy { form in
        form.hiddenType == nil
          || form.fields.count > 1
            && form.fields.allSatisfy { field in
              !looksLikeNamespace(field.name ?? "") && !field.values.contains { $0.contains("<") }
            }
      }
  }

  /// `client/pc/en/Psi`: namespaces have a colon before their first slash, other features no slash.
  private static func looksLikeIdentity(_ feature: String) -> Bool {
    feature.contains("/") && !feature.prefix { $0 != "/" }.contains(":")
  }

  /// Most features are `urn:…`, `http:…` or `jabber:…`; no field of a form is called so.
  private static func looksLikeNamespace(_ field: String) -> Bool { field.contains(":") }
}

extension DataForm {
  fileprivate static let typeField = "FORM_TYPE"

  /// The form's type, when its field says that it is hidden (XEP-0115 5.4, point 3.6).
  fileprivate var hiddenType: String? {
    guard let field = self[Self.typeField], field.kind == .hidden else { return nil }
    return field.values.first
  }
}
