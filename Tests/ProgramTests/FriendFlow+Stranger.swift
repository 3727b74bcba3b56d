// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

extension FriendFlow {
  /// The ways that a friendship may go with bob at a client that is not ours: it answers nothing by itself, so each of his
  /// halves is a step of its own.
  static let withStranger: [FriendFlow] = [
    FriendFlow(
      name: "they are asked, agree, and ask back",
      steps: [
        .alice("add THEM", "requested", shows: "none, asked", bob: "- ?"),
        .bob("subscribed THEM", shows: "to", bob: "from"),
        // Whom alice sees she lets see herself.
        .bob("subscribe THEM", shows: "both", bob: "both"),
      ]),
    FriendFlow(
      name: "they ask and are accepted",
      steps: [
        .bob("subscribe THEM We met at the fair", shows: "- ?", bob: "none, asked"),
        .alice("accept THEM", "accepted", shows: "from, asked", bob: "to ?"),
        .bob("subscribed THEM", shows: "both", bob: "both"),
      ]),
    FriendFlow(
      name: "they ask and are accepted without being asked back",
      steps: [
        .bob("subscribe THEM", shows: "- ?", bob: "none, asked"),
        .alice("accept --one-way THEM", "accepted", shows: "from", bob: "to"),
      ]),
    FriendFlow(
      name: "they ask and are added",
      steps: [
        .bob("subscribe THEM", shows: "- ?", bob: "none, asked"),
        .alice("add THEM", "accepted", shows: "from, asked", bob: "to ?"),
        .bob("subscribed THEM", shows: "both", bob: "both"),
      ]),
    FriendFlow(
      name: "they ask again and again, and are accepted once",
      steps: [
        .bob("subscribe THEM", shows: "- ?", bob: "none, asked"),
        .bob("subscribe THEM", shows: "- ?", bob: "none, asked"),
        .alice("accept --one-way THEM", "accepted", shows: "from", bob: "to"),
      ]),
    FriendFlow(
      name: "they ask and are refused",
      steps: [
        .bob("subscribe THEM", shows: "- ?", bob: "none, asked"),
        .alice("reject THEM", "rejected", shows: "-", bob: "none"),
        .bob("subscribe THEM", shows: "- ?", bob: "none, asked"),
      ]),
    FriendFlow(
      name: "they ask and withdraw, which is seen at the accepting",
      steps: [
        .bob("subscribe THEM", shows: "- ?", bob: "none, asked"),
        .bob("unsubscribe THEM", shows: "-~", bob: "none"),
        .alice("accept THEM", "67", shows: "-", bob: "none"),
      ]),
    FriendFlow(
      name: "they refuse", alicesEndings: 1,
      steps: [
        .alice("add THEM", "requested", shows: "none, asked", bob: "- ?"),
        .bob("unsubscribed THEM", shows: "none", bob: "-"),
      ]),
    FriendFlow(
      name: "we cancel",
      steps: [
        .alice("add THEM", "requested", shows: "none, asked", bob: "- ?"),
        .alice("cancel THEM", "cancelled", shows: "none", bob: "-~"),
      ]),
    FriendFlow(
      name: "both add each other, alice first",
      steps: [
        .both("ab", "add THEM", "requested", "accepted", "granted", shows: "from, asked", bob: "to ?"),
        .bob("subscribed THEM", shows: "both", bob: "both"),
      ]),
    FriendFlow(
      name: "both add each other, bob first",
      steps: [
        .both("ba", "add THEM", "requested", "accepted", "granted", shows: "from, asked", bob: "to ?"),
        .bob("subscribed THEM", shows: "both", bob: "both"),
      ]),
    FriendFlow(
      name: "we remove them", areFriends: true,
      steps: [.alice("remove THEM", "removed", shows: "-", bob: "none")]),
    FriendFlow(
      name: "they remove us", areFriends: true, alicesEndings: 1,
      steps: [
        .bob("remove THEM", shows: "none", bob: "-"),
        .alice("remove THEM", "removed", shows: "-", bob: "-"),
      ]),
    FriendFlow(
      name: "we unsubscribe", areFriends: true,
      steps: [.alice("unsubscribe THEM", "unsubscribed", shows: "from", bob: "to")]),
    FriendFlow(
      name: "they unsubscribe", areFriends: true,
      steps: [.bob("unsubscribe THEM", shows: "to", bob: "from")]),
    FriendFlow(
      name: "we revoke", areFriends: true,
      steps: [.alice("revoke THEM", "revoked", shows: "to", bob: "from")]),
    FriendFlow(
      name: "they revoke", areFriends: true, alicesEndings: 1,
      steps: [.bob("unsubscribed THEM", shows: "from", bob: "to")]),
  ]
}
