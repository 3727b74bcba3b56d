// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
package import JackdawProtocol

extension Session {
  /// What somebody tells of themselves: in the older format, which nearly everybody has, or else in the newer one. A card
  /// that has nothing but a picture says who keeps the rest elsewhere.
  /// - Parameters:
  ///   - jid: nil: we ourselves.
  ///   - timeout: of each of the questions; nil: the session's.
  /// - Returns: nil when there is no card. Servers do not tell that from an account that does not exist (XEP-0054 3.3).
  /// - Throws: ``RequestError``
  package func vCard(of jid: JID? = nil, timeout: Duration? = nil) async throws(RequestError) -> VCard? {
    let old = try await features[VCardTemp.self].card(of: jid, timeout: timeout)
    if let old, !old.properties.isEmpty { return old }
    guard var new = try await features[VCard4.self].card(of: jid, timeout: timeout) else { return old }
    new.photo = new.photo ?? old?.photo
    return new
  }
}
