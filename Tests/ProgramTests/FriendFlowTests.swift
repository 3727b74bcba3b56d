// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Every way that a friendship may go between two Jackdaws, and between Jackdaw and a client that is not ours, on each server,
/// whoever is there when it happens, and after both were started anew.
@Suite("The ways of a friendship")
struct FriendFlowTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var flow: FriendFlow
    var server: TestServer.Kind
    var situation: FriendFlow.Situation

    var testDescription: String { "\(flow.name), \(server.rawValue), \(situation.rawValue)" }
  }

  static func cases(_ flows: [FriendFlow]) -> [Case] {
    flows.flatMap { flow in
      flow.servers.flatMap { server in
        flow.situations.map { Case(flow: flow, server: server, situation: $0) }
      }
    }
  }

  private static let gate = Gate(5)

  @Test("end as they are to, on both sides", arguments: cases(flows))
  func way(_ way: Case) async throws {
    try await Self.gate.inside { try await way.flow.run(on: way.server, way.situation) }
  }

  @Test("end as they are to with a stranger's client too", arguments: cases(FriendFlow.withStranger))
  func wayWithStranger(_ way: Case) async throws {
    try await Self.gate.inside { try await way.flow.runWithStranger(on: way.server, way.situation) }
  }

  static let flows: [FriendFlow] = [
    FriendFlow(
      name: "add and accept",
      steps: [
        .alice("add THEM", "requested", shows: "none, asked", bob: "- ?"),
        .bob("accept THEM", "accepted", "friends", shows: "both", bob: "both"),
      ]),
    FriendFlow(
      name: "accept without asking back",
      steps: [
        .alice("add THEM", "requested", shows: "none, asked", bob: "- ?"),
        .bob("accept --one-way THEM", "accepted", shows: "to", bob: "from"),
      ]),
    FriendFlow(
      name: "add somebody who has asked",
      steps: [
        .bob("add THEM", "requested", shows: "- ?", bob: "none, asked"),
        .alice("add THEM", "accepted", "friends", shows: "both", bob: "both"),
      ]),
    FriendFlow(
      name: "both add each other, alice first",
      steps: [.both("ab", "add THEM", "requested", "accepted", "granted", "friends", shows: "both", bob: "both")]),
    FriendFlow(
      name: "both add each other, bob first",
      steps: [.both("ba", "add THEM", "requested", "accepted", "granted", "friends", shows: "both", bob: "both")]),
    FriendFlow(
      name: "reject", alicesEndings: 1,
      steps: [
        .alice("add THEM", "requested", shows: "none, asked", bob: "- ?"),
        .bob("reject THEM", "rejected", shows: "none", bob: "-"),
        .alice("add THEM", "requested", shows: "none, asked", bob: "- ?"),
      ]),
    FriendFlow(
      name: "cancel, which is seen at the accepting",
      steps: [
        .alice("add THEM", "requested", shows: "none, asked", bob: "- ?"),
        // ejabberd does not tell bob's client, which learns it by trying.
        .alice("cancel THEM", "cancelled", shows: "none", bob: "-~"),
        .bob("accept THEM", "67", shows: "none", bob: "-"),
      ]),
    FriendFlow(
      name: "remove before the answer",
      steps: [
        .alice("add THEM", "requested", shows: "none, asked", bob: "- ?"),
        .alice("remove THEM", "removed", shows: "-", bob: "-~"),
      ]),
    FriendFlow(
      name: "remove, and begin anew", areFriends: true, bobsEndings: 1,
      steps: [
        .alice("remove THEM", "removed", shows: "-", bob: "none"),
        .alice("add THEM", "requested", shows: "none, asked", bob: "none ?|- ?"),
        .bob("accept THEM", "accepted", "friends", shows: "both", bob: "both"),
      ]),
    FriendFlow(
      name: "be removed, and remove too", areFriends: true, whenRemoved: "remove", bobsEndings: 1,
      steps: [.alice("remove THEM", "removed", shows: "-", bob: "-")]),
    FriendFlow(
      name: "be removed, and be asked what to do", areFriends: true, whenRemoved: "ask", bobsEndings: 1,
      steps: [
        .alice("remove THEM", "removed", shows: "-", bob: "none"),
        .bob("remove THEM", "removed", shows: "-", bob: "-"),
      ]),
    FriendFlow(
      name: "unsubscribe, and see them again", areFriends: true, situations: [.bothOnline, .restarted],
      steps: [
        .alice("unsubscribe THEM", "unsubscribed", shows: "from", bob: "to"),
        // Bob saw that she left by herself, and sees her: she may come back.
        .alice("add THEM", "requested", "friends", shows: "both", bob: "both"),
      ]),
    FriendFlow(
      name: "unsubscribe unseen, and see them again", areFriends: true, situations: [.otherOffline],
      steps: [
        .alice("unsubscribe THEM", "unsubscribed", shows: "from", bob: "to"),
        // For all that bob's client knows he may have ended it himself, on another device.
        .alice("add THEM", "requested", shows: "from, asked", bob: "to ?"),
        .bob("accept THEM", "friends", shows: "both", bob: "both"),
      ]),
    FriendFlow(
      name: "revoke, and be asked", areFriends: true, bobsEndings: 1,
      steps: [
        .alice("revoke THEM", "revoked", shows: "to", bob: "from"),
        .bob("add THEM", "requested", shows: "to ?", bob: "from, asked"),
        .alice("accept THEM", "friends", shows: "both", bob: "both"),
      ]),
    FriendFlow(
      name: "revoke", areFriends: true, bobsEndings: 1,
      steps: [
        .alice("revoke THEM", "revoked", shows: "to", bob: "from")
      ]),
    FriendFlow(
      name: "approve beforehand", servers: [.prosody],
      steps: [
        .alice("approve THEM", "approved", shows: "none", bob: "-"),
        // Prosody 0.12 does not tell bob of it before his next log-in when alice is offline.
        .bob("add THEM", "granted", "requested", shows: "from", bob: "to|none, asked"),
      ]),
    FriendFlow(
      name: "approve beforehand where the server cannot", servers: [.ejabberd],
      steps: [.alice("approve THEM", "69", shows: "-", bob: "-")]),
    FriendFlow(
      name: "name and groups keep each other", areFriends: true,
      steps: [
        .alice("rename THEM 'Bob B.'", "renamed", shows: "both 'Bob B.'", bob: "both"),
        .alice("group THEM Work 'A,B'", "grouped", shows: "both 'Bob B.' A,B+Work", bob: "both"),
        .alice("rename 'bob b.' Bob", "renamed", shows: "both 'Bob' A,B+Work", bob: "both"),
      ]),
  ]
}
