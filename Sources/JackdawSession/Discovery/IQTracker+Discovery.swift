// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
package import JackdawProtocol
import JackdawXML

extension IQTracker {
  /// What `jid`, or a node of it, is and can do (XEP-0030 3).
  package func information(
    of jid: JID, node: String?, timeout: Duration
  ) async throws(RequestError) -> DiscoveryInformation {
    let query = Element("query", DiscoveryInformation.namespace, ["node": node])
    let answer = try await request(IQ(kind: .get, to: jid, payload: query), timeout: .after(timeout))
    guard let payload = answer.payload else { throw .unexpectedPayload }
    do throws(StanzaFormatError) {
      return try DiscoveryInformation(payload)
    } catch {
      throw RequestError(.malformedReply, error.description, cause: error)
    }
  }
}
