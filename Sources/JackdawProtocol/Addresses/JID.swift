// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML

/// An XMPP address (RFC 7622): `localpart@domainpart/resourcepart`, each part prepared and enforced, so that equal
/// addresses are equal values.
///
/// What it is made of is one object on the heap, which does not change: a message's addresses are copied some dozen times on its way
/// through the program, and each copy would count the references of all their texts. ``bare``, ``description``, comparing and hashing
/// make no copies.
package struct JID: Sendable {
  private final class Parts: Sendable {
    /// `localpart@domainpart` or `domainpart`, prepared.
    let address: String
    let resource: String?
    /// All of it, as it goes onto the wire.
    let text: String
    /// Those of the address without its resource; nil: it has none.
    let bare: Parts?

    init(_ address: String) {
      (self.address, text) = (address, address)
      (resource, bare) = (nil, nil)
    }

    /// - Parameters:
    ///   - bare: those of an address without resource.
    ///   - text: both joined, where that is there already.
    init(_ bare: Parts, resource: String, text: String? = nil) {
      address = bare.address
      self.resource = resource
      self.text = text ?? "\(bare.address)/\(resource)"
      self.bare = bare
    }
  }

  private let parts: Parts

  private var address: String { parts.address }

  /// What follows the first slash: a device of an account, a nickname in a room. From the peer: escaped when shown.
  package var resource: String? { parts.resource }

  /// Parses and prepares `text`.
  ///
  /// A domain's final dot is dropped, A-labels become U-labels, an IPv6 address gets its canonical text.
  package init(_ text: String) throws(JIDError) { try self.init(text, isReceived: false) }

  /// An address that came from the network, or stands in what is kept of it: its resource was another's to choose, who may
  /// have gone by other rules than RFC 7622, as servers and rooms go by those of RFC 3920. Localpart and domain have to keep
  /// to the rules.
  ///
  /// Of an address that keeps to all of them it makes the same as ``init(_:)``.
  package init(received text: String) throws(JIDError) { try self.init(text, isReceived: true) }

  private init(_ text: String, isReceived: Bool) throws(JIDError) {
    if let prepared = Self.fromPrepared(text) {
      self = prepared
      return
    }
    do throws(AddressPartError) {
      self = try Self.prepare(text, isReceived)
    } catch {
      throw JIDError(text: text, reason: error.reason)
    }
  }

  /// Prepares parts that are known apart, say from a URI: delimiters in them are not taken as such.
  /// - Parameter isReceived: the resource is taken as ``init(received:)`` takes it.
  package init(
    localpart: String?, domain: String, resource: String? = nil, isReceived: Bool = false
  ) throws(JIDError) {
    do throws(AddressPartError) {
      self = try Self.prepare(localpart: localpart?[...], domain: domain[...], resource: resource?[...], isReceived)
    } catch {
      let text = (localpart.map { $0 + "@" } ?? "") + domain + (resource.map { "/" + $0 } ?? "")
      throw JIDError(text: text, reason: error.reason)
    }
  }

  private init(address: String, resource: String?) {
    let bare = Parts(address)
    parts = resource.map { Parts(bare, resource: $0) } ?? bare
  }

  private init(_ parts: Parts) { self.parts = parts }

  /// The name of the account, before the `@`; nil for a server, a service or a component.
  package var localpart: String? {
    address.utf8.firstIndex(of: UInt8(ascii: "@")).map { String(address[..<$0]) }
  }

  /// The domain with U-labels, or an IP address, IPv6 in brackets.
  package var domain: String {
    guard let at = address.utf8.firstIndex(of: UInt8(ascii: "@")) else { return address }
    return String(address[address.utf8.index(after: at)...])
  }

  /// Without the resource.
  package var bare: JID {
    guard let bare = parts.bare else { return self }
    return JID(bare)
  }

  /// It has no resource.
  package var isBare: Bool { parts.bare == nil }
  /// Whether it is of the same account, service or room as another.
  package func sharesBare(with other: JID) -> Bool { parts === other.parts || address == other.address }

  /// Whether it is of the same domain as another.
  package func sharesDomain(with other: JID) -> Bool {
    let isSame = address.utf8.withContiguousStorageIfAvailable { mine in
      other.address.utf8.withContiguousStorageIfAvailable { Self.domain(in: mine).elementsEqual(Self.domain(in: $0)) }
    }
    return (isSame ?? nil) ?? (domain == other.domain)
  }

  private static func domain(in address: UnsafeBufferPointer<UInt8>) -> Slice<UnsafeBufferPointer<UInt8>> {
    address[(address.firstIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? 0)...]
  }

  /// The domain alone: the address of the server.
  package var server: JID { JID(address: domain, resource: nil) }
  /// Whether it is the address of another's server.
  package func isServer(of other: JID) -> Bool {
    // That of a person is told from it without making another text.
    resource == nil && !address.utf8.contains(UInt8(ascii: "@")) && address == other.domain
  }

  /// This address with `resource` (prepared), or without one.
  /// - Parameter isReceived: the resource is taken as ``init(received:)`` takes it.
  package func with(resource: String?, isReceived: Bool = false) throws(JIDError) -> JID {
    guard let resource else { return bare }
    do throws(AddressPartError) {
      let resource = try ResourcePart.prepare(resource[...], isReceived: isReceived)
      return JID(Parts(parts.bare ?? parts, resource: resource))
    } catch {
      throw JIDError(text: address + "/" + resource, reason: error.reason)
    }
  }

  /// The address as servers write it that go by RFC 3920, whose nodeprep folds the localpart further than RFC 7622: `strasse` for
  /// `straße`, `νίκοσ` for `νίκος`. For what a person types; what comes from a server is as it writes it.
  package var folded: JID {
    guard !address.utf8.allSatisfy({ $0 < 0x80 }), let localpart, let folded = LocalPart.folded(localpart) else {
      return self
    }
    return JID(address: folded + "@" + domain, resource: resource)
  }

  /// The domain as it goes into DNS, TLS server name indication and certificate checks: A-labels (RFC 5890). Computed
  /// on each call where the domain is not ASCII.
  package var asciiDomain: String {
    let domain = domain
    guard !domain.utf8.allSatisfy({ $0 < 0x80 }) else { return domain }
    return InternationalName.asciiForm(domain) ?? domain
  }

  /// The address, if it is ASCII that needs no preparation: by far the most are.
  private static func fromPrepared(_ text: String) -> JID? {
    text.utf8.withContiguousStorageIfAvailable { JID(prepared: $0, text) } ?? nil
  }

  /// - Parameter text: the same.
  private init?(prepared bytes: UnsafeBufferPointer<UInt8>, _ text: String) {
    let layout = AddressLayout(bytes)
    guard layout.isPrepared else { return nil }
    guard layout.slash < bytes.count else {
      parts = Parts(text)
      return
    }
    let address = String(decoding: UnsafeBufferPointer(rebasing: bytes[..<layout.slash]), as: UTF8.self)
    let rest = UnsafeBufferPointer(rebasing: bytes[(layout.slash + 1)...])
    parts = Parts(Parts(address), resource: String(decoding: rest, as: UTF8.self), text: text)
  }

  /// Splits by RFC 7622 3.1: the resource goes off first, then the localpart.
  private static func prepare(_ text: String, _ isReceived: Bool) throws(AddressPartError) -> JID {
    guard !text.isEmpty else { throw AddressPartError("is empty") }
    let slash = text.utf8.firstIndex(of: UInt8(ascii: "/"))
    let bare = text[..<(slash ?? text.endIndex)]
    let at = bare.utf8.firstIndex(of: UInt8(ascii: "@"))
    return try prepare(
      localpart: at.map { bare[..<$0] }, domain: at.map { bare[text.utf8.index(after: $0)...] } ?? bare,
      resource: slash.map { text[text.utf8.index(after: $0)...] }, isReceived)
  }

  private static func prepare(
    localpart: Substring?, domain: Substring, resource: Substring?, _ isReceived: Bool
  ) throws(AddressPartError) -> JID {
    var address = try DomainPart.prepare(domain)
    if let localpart { address = try LocalPart.prepare(localpart) + "@" + address }
    guard let resource else { return JID(address: address, resource: nil) }
    return JID(address: address, resource: try ResourcePart.prepare(resource, isReceived: isReceived))
  }
}

extension JID: Hashable {
  package static func == (one: JID, other: JID) -> Bool {
    one.parts === other.parts || one.parts.text == other.parts.text
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(parts.text) }
}

extension JID: CustomStringConvertible {
  /// The address as it goes onto the wire. The parts are from the peer: escaped when shown.
  package var description: String { parts.text }
}
