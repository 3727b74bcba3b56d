// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// A step of a friendship cannot be made.
package struct FriendError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What stands against it.
  package enum Reason: Sendable, Equatable {
    case isOurselves
    /// By this address of the block list, their own or their server's.
    case isBlocked(JID)
    /// A room has occupants, and no presence of its own (XEP-0045).
    case isRoom
    case notOnList
    case hasNotAsked
    case hasWithdrawn
    case notAsked
    case cannotApprove
    /// The request was answered with no before anybody can have read it.
    case isRefused
    /// The request came back with this: there is no such server, say. The entry stays, and the server may try again.
    case undeliverable(StanzaError)
    /// The server took the request and never showed its effect; what it was.
    case unconfirmed(String)
  }

  /// Why it cannot be made.
  package var reason: Reason
  /// With whom.
  package var jid: JID

  package init(_ reason: Reason, _ jid: JID) {
    self.reason = reason
    self.jid = jid
  }

  package var description: String {
    switch reason {
    case .isOurselves: "\(jid) is your own address."
    case .isBlocked(jid): "You have blocked \(jid), and have to unblock it first."
    case .isBlocked(let entry): "You have blocked \(entry), and \(jid) with it: unblock it first."
    case .notOnList: "\(jid) is not on your contact list."
    case .isRoom: "\(jid) is a room, and rooms cannot be friends."
    case .hasNotAsked: "\(jid) has not asked to be your friend, or has withdrawn the request."
    // Servers tell no other device of a refusal.
    case .hasWithdrawn:
      "\(jid) has withdrawn the request to be your friend, or another of your devices has answered it."
    case .notAsked: "You have no open request to \(jid)."
    case .cannotApprove: "Your server cannot approve requests before they come."
    case .isRefused: "Your request to \(jid) was refused at once: there may be no such account."
    case .undeliverable(let error): Self.undelivered(jid, error, withdrawnBy: "friends cancel")
    case .unconfirmed(let what): "The server did not confirm \(what) in time."
    }
  }

  /// What is said of a request that came back. Servers send it again at each log-in until it is withdrawn.
  /// - Parameter command: what withdraws it, as it is typed where this is read.
  static func undelivered(_ jid: JID, _ error: StanzaError, withdrawnBy command: String) -> String {
    "Your request to \(jid) could not be delivered ('\(command) \(jid)' withdraws it): \(error)"
  }
}
