// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession
import JackdawXML

/// One contact as a file has it: what `friends export` writes and `friends import` reads.
struct ContactRecord: Equatable, Sendable {
  /// Always bare.
  var jid: JID
  /// The name that the user gave, nil when none.
  var name: String?
  var groups: [String]
  /// Nil where the file says nothing of it.
  var subscription: RosterItem.Subscription?
  /// A request of ours waited for its answer.
  var ask: Bool

  init(
    jid: JID, name: String? = nil, groups: [String] = [], subscription: RosterItem.Subscription? = nil,
    ask: Bool = false
  ) {
    self.jid = jid
    self.name = name
    self.groups = groups
    self.subscription = subscription
    self.ask = ask
  }

  init(_ item: RosterItem) {
    // Servers keep groups in no order: sorted, two files of one list are the same.
    self.init(
      jid: item.jid, name: item.name, groups: item.groups.sorted(), subscription: item.subscription, ask: item.ask)
  }

  /// Whether their presence is wanted: it was seen or asked for where the file was made, or the file leaves it open.
  var wantsPresence: Bool {
    switch subscription {
    case nil, .to, .both: true
    case .some(.none), .from: ask
    }
  }

  /// A record of the texts that a file has.
  /// - Throws: ``ContactProblem`` for what no contact list can hold.
  init(
    address: String?, name: String?, groups: [String], subscription: String?, ask: Bool
  ) throws(ContactProblem) {
    guard let address, !address.isEmpty else { throw ContactProblem("has no address") }
    do {
      jid = try JID(address).folded.bare
    } catch {
      throw ContactProblem("\(error)")
    }
    self.name = name.flatMap { $0.isEmpty ? nil : $0 }
    self.groups = groups.filter { !$0.isEmpty }
    if let problem = ProposedName.problem(ofAddress: jid) { throw ContactProblem(problem) }
    for text in [self.name ?? ""] + self.groups {
      guard StanzaWriter.canCarry(text) else {
        throw ContactProblem("holds a control character that XMPP cannot carry")
      }
      if let problem = ProposedName.problem(of: text, for: jid, allowsLines: true) {
        throw ContactProblem("has a name or a group that \(problem)")
      }
    }
    self.subscription = nil
    if let subscription, !subscription.isEmpty {
      guard let known = RosterItem.Subscription(rawValue: subscription) else {
        throw ContactProblem("has the subscription '\(subscription)', which must be none, to, from or both")
      }
      self.subscription = known
    }
    self.ask = ask
  }
}

/// One line of a file cannot be taken in.
struct ContactProblem: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong with it, to follow its place in a sentence.
  var description: String

  init(_ description: String) { self.description = description }
}
