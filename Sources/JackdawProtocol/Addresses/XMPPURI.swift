// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A link to an address, with what to do there (RFC 5122, XEP-0147):
/// `xmpp:romeo@montague.example?subscribe;name=Romeo%20Montague`.
///
/// Reading one has no effect: what it asks for is done only when the user says so. Everything in it is from a stranger.
package struct XMPPURI: Sendable, Equatable {
  /// The address that it leads to.
  package var jid: JID
  /// The account to do it with, where the link names one (`xmpp://me@example.org/you@example.org`).
  package var account: JID?
  /// What to do: the query type of XEP-0147's registry, say `subscribe`, `roster`, `message`, `join`; nil without one.
  package var action: String?
  /// The keys and values after the action, in order.
  package var parameters: [Parameter]

  /// A key and its value (XEP-0147 2), percent-decoded, both from whoever wrote the link.
  package struct Parameter: Sendable, Equatable {
    /// Percent-decoded; the same key may come more than once.
    package var key: String
    /// Percent-decoded; empty where the link gives none.
    package var value: String

    package init(_ key: String, _ value: String) {
      self.key = key
      self.value = value
    }
  }

  package init(_ jid: JID, account: JID? = nil, action: String? = nil, parameters: [Parameter] = []) {
    self.jid = jid
    self.account = account
    self.action = action
    self.parameters = parameters
  }

  /// The value of the first parameter with this key.
  package func value(of key: String) -> String? {
    parameters.first { $0.key == key }?.value
  }

  /// True when `text` begins as such a link does, whether or not the rest is right.
  package static func isLikely(_ text: String) -> Bool {
    text.utf8.prefix(scheme.utf8.count).map(asciiLowercased).elementsEqual(scheme.utf8)
  }

  /// Reads a URI, or an IRI (with characters outside ASCII as they are). A fragment (`#…`) is skipped.
  package init(_ text: String) throws(XMPPURIError) {
    guard text.utf8.count <= AddressLimits.uriBytes else { throw XMPPURIError("is too long") }
    guard Self.isLikely(text) else { throw XMPPURIError("does not begin with 'xmpp:'") }
    if let stranger = text.unicodeScalars.first(where: Self.isNeverPartOfURI) {
      throw XMPPURIError("has \(AddressPartError.name(stranger)), which is not allowed in links")
    }
    var rest = text.utf8.dropFirst(Self.scheme.utf8.count)
    if let fragment = rest.firstIndex(of: UInt8(ascii: "#")) { rest = rest[..<fragment] }
    var query: Substring.UTF8View?
    if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
      query = rest[rest.index(after: mark)...]
      rest = rest[..<mark]
    }
    if rest.starts(with: "//".utf8) {
      let authority = rest.dropFirst(2)
      guard let slash = authority.firstIndex(of: UInt8(ascii: "/")) else {
        throw XMPPURIError("names the account to use after '//', but no address")
      }
      account = try Self.jid(authority[..<slash])
      rest = authority[authority.index(after: slash)...]
    }
    jid = try Self.jid(rest)
    action = nil
    parameters = []
    if let query { try readQuery(query) }
  }

  /// `action;key=value;key=value`
  private mutating func readQuery(_ query: Substring.UTF8View) throws(XMPPURIError) {
    let parts = query.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    guard let first = parts.first else { return }
    if !first.isEmpty { action = try Self.decode(first) }
    for part in parts.dropFirst() where !part.isEmpty {
      guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else {
        throw XMPPURIError("has a key without '=' and a value after the '?'")
      }
      let key = try Self.decode(part[..<equals])
      guard !key.isEmpty else { throw XMPPURIError("has a value without a key after the '?'") }
      parameters.append(Parameter(key, try Self.decode(part[part.index(after: equals)...])))
    }
  }

  /// Splits first and decodes then, so that an encoded delimiter belongs to its part.
  private static func jid(_ path: Substring.UTF8View) throws(XMPPURIError) -> JID {
    guard !path.isEmpty else { throw XMPPURIError("has no address") }
    let slash = path.firstIndex(of: UInt8(ascii: "/"))
    var host = path[..<(slash ?? path.endIndex)]
    var localpart: String?
    if let at = host.firstIndex(of: UInt8(ascii: "@")) {
      localpart = try decode(host[..<at])
      host = host[host.index(after: at)...]
    }
    let domain = try decode(host)
    let resource: String? =
      if let slash { try decode(path[path.index(after: slash)...]) } else { nil }
    do {
      return try JID(localpart: localpart, domain: domain, resource: resource, isReceived: true)
    } catch {
      throw XMPPURIError("leads to an address that \(error.reason)")
    }
  }
}

extension XMPPURI: CustomStringConvertible {
  /// The URI, in ASCII: domains with A-labels, everything else percent-encoded as UTF-8.
  package var description: String {
    var text = Self.scheme
    if let account { text += "//" + Self.path(account) + "/" }
    text += Self.path(jid)
    guard action != nil || !parameters.isEmpty else { return text }
    text += "?" + Self.encode(action ?? "")
    for parameter in parameters {
      text += ";" + Self.encode(parameter.key) + "=" + Self.encode(parameter.value)
    }
    return text
  }

  private static func path(_ jid: JID) -> String {
    (jid.localpart.map { encode($0) + "@" } ?? "") + jid.asciiDomain + (jid.resource.map { "/" + encode($0) } ?? "")
  }
}

/// A text is not a link to an XMPP address.
package struct XMPPURIError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong with it, to follow the link in a sentence: "names no address".
  package var reason: String
  package var description: String { "The link \(reason)." }

  init(_ reason: String) {
    self.reason = reason
  }
}
