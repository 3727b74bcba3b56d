// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// Invitations into rooms: somebody's own (XEP-0249), and those that a room hands on (XEP-0045 7.8.2).
@Client package final class RoomInvitations: Feature {
  private nonisolated static let direct = "jabber:x:conference"
  private nonisolated static let mediated = "http://jabber.org/protocol/muc#user"

  package nonisolated static let about = FeatureDescription(
    "XEP-0249", "Direct MUC Invitations", version: "1.2", discoFeatures: [direct], namespaces: [mediated],
    scope: "shown, as are those that a room hands on; none is accepted, as there are no rooms yet, and none is sent",
    isPartial: true)

  package init(_ context: FeatureContext) {}

  package func install(in routes: RouteTable) {
    routes.onMessage(.interpret) { inbound in
      guard !inbound.message.payloads.isEmpty, let invitation = Self.invitation(in: inbound.message) else {
        return .pass
      }
      inbound.carry(invitation)
      return .pass
    }
  }

  static func invitation(in message: Message) -> MessageContent? {
    // A room that hands one on may add the direct form for clients that know no other: who invites stands in its own.
    for payload in message.payloads {
      if payload.matches("x", mediated), let invite = payload.child("invite", mediated), let room = message.from {
        var invitation = MessageContent(.invitation)
        invitation.address = room.bare.description
        // Where rooms hide who is in them, it is the name that somebody has there.
        invitation.person = (try? invite.jid("from")).map { ($0.bare == room.bare ? $0 : $0.bare).description }
        invitation.text = invite.text(of: "reason", mediated).nonEmpty
        return invitation
      }
    }
    for payload in message.payloads {
      guard payload.matches("x", direct), let room = try? payload.jid("jid") else { continue }
      var invitation = MessageContent(.invitation)
      invitation.address = room.bare.description
      invitation.text = payload.attribute("reason").nonEmpty
      return invitation
    }
    return nil
  }
}
