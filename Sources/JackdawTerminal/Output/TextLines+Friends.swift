// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

/// What happens between people, as one line each.
extension TextLines {
  /// What others did, nil where a person need not be told: of what another client of the user's own took back.
  /// - Parameters:
  ///   - entry: the contact list's entry as it is now, for an ending that came alone.
  ///   - answer: how a command is typed here, as for ``request(_:answer:)``.
  func friendship(_ change: FriendDigest.Change, person: Person, entry: RosterItem?, answer: String) -> String? {
    if let ending = change.ending { return ended(ending, change, person: person, entry: entry, answer: answer) }
    return Self.news(change, person).map { notice($0) }
  }

  private func ended(
    _ event: FriendshipEnded, _ change: FriendDigest.Change, person: Person, entry: RosterItem?, answer: String
  ) -> String {
    switch event.reason {
    case .removed: break
    case .refused: return notice("\(person.label) declined your request.")
    case .unknown where event.wasRequest: return notice("Your request to \(person.label) is no longer open.")
    case .unknown: return notice("You no longer see when \(person.label) is online.")
    }
    let after = SubscriptionState(change.hasEntries ? change.after : entry, theyAsked: false)
    let sawUs = !change.hasEntries || SubscriptionState(change.before, theyAsked: false).theirs == .subscribed
    guard sawUs, after.theirs != .subscribed else {
      return notice("\(person.label) no longer lets you see when they are online.")
    }
    switch event.policy {
    case .keep: return notice("\(person.label) removed you from their friends.")
    case .remove: return notice("\(person.label) removed you from their friends, so they are no longer among yours.")
    case .ask:
      let address = Escaper.address(event.jid.bare)
      guard let typed = typed(event.jid.bare), address == event.jid.bare.description else {
        return notice("\(person.label) removed you from their friends.")
      }
      // What is to be typed stands whole on a line, however long the address is.
      let lines = ["\(person.label) removed you from their friends. To remove them too:", "\(answer) remove \(typed)"]
      return layout.entry(time: time, label: .notice, lines: lines, look: .bold)
    }
  }

  private static func news(_ change: FriendDigest.Change, _ person: Person) -> String? {
    let who = person.label
    guard let after = change.after else {
      return change.before == nil ? nil : "\(who) is no longer among your friends."
    }
    let old = SubscriptionState(change.before, theyAsked: false)
    let new = SubscriptionState(after, theyAsked: false)
    if old.ours != .subscribed, new.ours == .subscribed {
      return new.theirs == .subscribed
        ? "\(who) accepted: you are friends." : "\(who) lets you see when they are online."
    }
    if old.theirs != .subscribed, new.theirs == .subscribed {
      switch new.ours {
      case .subscribed: return "You and \(who) are friends."
      case .pending: return "\(who) sees when you are online. They have yet to accept your request."
      case .none: return "\(who) sees when you are online."
      }
    }
    if old.ours == .none, new.ours == .pending { return "You asked \(who) to be your friend." }
    // Who ended it is told by another event, or it was the user, elsewhere.
    if old.ours != .none, new.ours == .none { return nil }
    if old.theirs == .subscribed, new.theirs != .subscribed { return "\(who) no longer sees when you are online." }
    guard let before = change.before else { return "\(who) is in your contact list now." }
    let address = Escaper.address(after.jid.bare)
    if before.name != after.name {
      return after.name == nil ? "\(address) has no name any more." : "\(address) is now called \(who)."
    }
    if before.groups != after.groups {
      return after.groups.isEmpty ? "\(who) is in no group any more." : "\(who) is now in \(groups(after))."
    }
    return nil
  }

  /// A change of the contact list in the protocol's words, or an entry of it.
  func friend(_ item: RosterItem, change: FriendChanged.Change?, person: Person) -> String {
    let who = item.name == nil ? person.label : "\(person.label) (\(Escaper.address(item.jid.bare)))"
    let groups = item.groups.isEmpty ? "" : " [\(Self.groups(item))]"
    let ask = item.ask ? ", ask subscribe" : ""
    let what = change.map { "\($0.rawValue), " } ?? ""
    return notice("\(who): \(what)subscription \(item.subscription.rawValue)\(ask)\(groups)")
  }

  private static func groups(_ item: RosterItem) -> String {
    let groups = item.groups.prefix(TerminalLimits.remarkLength).map { $0.clipped(to: TerminalLimits.nameLength) }
    return remark(groups.joined(separator: ", "))
  }

  /// - Parameter person: who it is, by name where the user has one for them.
  func block(_ event: BlockChanged, _ person: Person) -> String {
    let address = Escaper.address(event.jid)
    let who = event.jid.resource == nil && person.name != nil ? "\(person.label) (\(address))" : address
    return notice(who + (event.change == .blocked ? " is blocked." : " is no longer blocked."))
  }

  // MARK: Requests

  /// - Parameter answer: how a command is typed here: `/friends`, or `jackdaw friends`.
  func request(_ event: FriendRequested, answer: String) -> String {
    let address = Escaper.address(event.jid.bare)
    let name = event.displayName.map { " (\(Escaper.name($0.clipped(to: TerminalLimits.nameLength))))" } ?? ""
    var hint = "see \(answer) requests\(afterSwitching)"
    if let typed = typed(event.jid.bare), address == event.jid.bare.description {
      hint = "\(answer) accept \(typed) (or: reject)"
    }
    let what = "\(address)\(name) asks to be your friend"
    guard let message = event.message, !message.isEmpty else {
      // Where that is more than a line, the command to be copied stands on one of its own.
      let whole = "\(what): \(hint)"
      let fits = layout.columns.map { "\(time) -- \(whole)".count < $0 } ?? true
      return layout.entry(time: time, label: .notice, lines: fits ? [whole] : [what, hint], look: .bold)
    }
    var lines = [what + ":"]
    let words = Escaper.lines(message.clipped(to: TerminalLimits.remarkLength))
    lines += words.prefix(TerminalLimits.requestLines)
    if words.count > TerminalLimits.requestLines { lines.append("…") }
    return layout.entry(time: time, label: .notice, lines: lines + [hint], look: .bold)
  }

  /// An address as it is to be typed in a command, the first one of it: one of another account than the one in use says so. As
  /// ``word(_:)`` nil for one that is not offered.
  func typed(_ jid: JID) -> String? {
    let word = Self.word(jid.description)
    guard word != nil, let account = accountToName else { return word }
    guard !account.contains(":"), Self.word(ofAccount: account) != nil else { return nil }
    return Self.word("\(account):\(jid)")
  }

  /// Behind a command that cannot name the account: what is to be typed before it; empty for the account in use.
  var afterSwitching: String {
    accountToName.flatMap(Self.word(ofAccount:)).map { ", after /account \($0)" } ?? ""
  }

  /// The account of a command that would be typed at the prompt, where another one is in use.
  private var accountToName: String? { friendsCommand.hasPrefix("/") ? account : nil }

  /// What an account is called, as it is to be typed; nil for a name that is not safe to show.
  static func word(ofAccount name: String) -> String? { Escaper.name(name) == name ? word(name) : nil }

  /// A word that a shell or the prompt leaves as it is, since it will be copied there; nil for one that could be taken for an
  /// option or holds a quote. A localpart may hold `$`, `;` and backquotes.
  static func word(_ text: String) -> String? {
    guard !text.hasPrefix("-"), !text.contains("'") else { return nil }
    let isWord = text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil || "@._+-:".unicodeScalars.contains(scalar)
    }
    return isWord ? text : "'\(text)'"
  }

  /// - Parameter before: how many were told of shortly before; whose names more are is then no news.
  func requests(_ people: [Person], before: Int, answer: String) -> String {
    let place = "see \(answer) requests\(afterSwitching)"
    guard before == 0 else {
      return notice(
        "\(people.count) more ask to be your friends, \(before + people.count) in all; \(place)", look: .bold)
    }
    return notice(
      "\(people.count) people ask to be your friends: \(Self.naming(people.map(\.label))); \(place)", look: .bold)
  }
}
