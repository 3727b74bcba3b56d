// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// Rooms are no friends: they ignore whoever asks to see them.
extension FriendManager {
  /// Refuses who is at a domain that says itself that it is one of rooms, before anything is sent to them. Whoever does
  /// not say so in time is none.
  func refuseRoom(_ jid: JID) async throws {
    guard item(for: jid) == nil, !hasAsked(jid) else { return }
    if try await isAtRooms(jid) { throw FriendError(.isRoom, jid) }
  }

  /// Whether somebody's domain says of itself that it is one of rooms (XEP-0045 6.1); asked once. Whoever does not say so in time is
  /// none.
  /// - Throws: where there is no answer for other reasons than that the domain refuses it.
  package func isAtRooms(_ jid: JID) async throws(RequestError) -> Bool {
    let domain = jid.domain
    guard domain != context.identity.account.domain else { return false }
    if roomDomains[domain] == nil {
      do throws(RequestError) {
        let information = try await context.requests.information(
          of: jid.server, node: nil, timeout: min(context.timeout, SessionLimits.roomCheckPatience))
        roomDomains[domain] = information.identities.contains { $0.category == "conference" }
      } catch {
        if error.stanzaError == nil, error.code != .timedOut { throw error }
      }
    }
    return roomDomains[domain] ?? false
  }

  /// Whether an address is a room's. At the domain of a gateway there are people too, who say nothing of themselves; a room that is not
  /// there yet is not found, and one that does not answer is a room all the same.
  /// - Throws: as ``isAtRooms(_:)``.
  package func isRoom(_ jid: JID) async throws(RequestError) -> Bool {
    guard try await isAtRooms(jid) else { return false }
    do throws(RequestError) {
      let information = try await context.requests.information(
        of: jid.bare, node: nil, timeout: min(context.timeout, SessionLimits.roomCheckPatience))
      return information.identities.contains { $0.category == "conference" }
    } catch {
      return error.stanzaError?.condition != "feature-not-implemented"
    }
  }
}
