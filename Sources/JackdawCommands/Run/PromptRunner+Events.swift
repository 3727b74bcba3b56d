// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// What happens on the sessions: it appears above the prompt, and changes it.
extension PromptRunner {
  /// Follows the session's events: they appear above the prompt and change it.
  /// - Parameter events: what has happened on it before.
  /// - Returns: who presents the messages, once it is started.
  func follow(
    _ session: Session, of account: Account, in bag: SubscriptionBag, after events: [any ClientEvent] = []
  ) -> Presenter {
    let desk = desks.first { $0.account === account } ?? desks[0]
    let presenter = application.presenter(of: session, on: output) { [weak self, output] message in
      output.show(message, of: account.jid.bare)
      self?.wasShown(message, at: desk)
      return .shown
    }
    session.features[LastActivity.self].userActed()
    session.features[DisplayedSync.self].onApplied = { [weak desk] in desk?.tracker.changed() }
    session.features[ChatMarkers.self].onApplied = { [weak desk] in desk?.tracker.changed() }
    session.features[PresenceBoard.self].onAnnounced = { [weak self, weak desk] in
      desk?.autoAway?.wasAnnounced()
      self?.refresh()
    }
    for event in events { take(event, presenter, desk) }
    session.events.onAny { [weak self] event in self?.take(event, presenter, desk) }.store(in: bag)
    return presenter
  }

  /// Shows what other processes' commands say by an account's session, as what other devices say is.
  func showGuests(at desk: PromptDesk) {
    desk.account.onGuestSaid = { [output, account = desk.account.jid.bare] said in
      // What there is no room for is known to whoever sent it, and stands in the log.
      if !output.holdsBack { output.show(said, of: account) }
    }
  }

  private func take(_ event: any ClientEvent, _ presenter: Presenter, _ desk: PromptDesk) {
    let account = desk.account
    if let change = event as? ConnectionChanged, [.online, .resumed].contains(change.state) {
      learnPresence(at: desk)
      desk.autoAway?.connected()
    }
    if let message = event as? MessageArrived {
      presenter.take(message)
    } else if shows(event, at: desk) {
      output.show(event, of: account.jid.bare)
    }
    desk.notifier?.take(event, conversation: openConversation(at: desk))
    track(event, at: desk)
    refresh()
  }

  /// Why a first log-in is refused is told as a failure, once; programs are told of both.
  private func shows(_ event: any ClientEvent, at desk: PromptDesk) -> Bool {
    if event is PresenceChanged { return application.settings.showsPresence }
    guard desk.awaitsFirstLogin, !application.settings.isJSON, let change = event as? ConnectionChanged else {
      return true
    }
    return change.state != .offline || change.reason == nil
  }

  /// Whom the conversation that is open is with, where it is one of this account.
  private func openConversation(at desk: PromptDesk) -> JID? { desk === self.desk ? openConversation : nil }

  private func track(_ event: any ClientEvent, at desk: PromptDesk) {
    switch event {
    case let message as MessageArrived: desk.tracker.changed(message.conversation)
    case let state as MessageStateChanged: desk.tracker.changed(state.to)
    case is CaughtUp, is ArchiveRead: desk.tracker.changed()
    default: break
    }
  }

  /// What comes into the conversation that is open is read, once it is on the screen; the user may open it just before it is.
  private func wasShown(_ message: MessageArrived, at desk: PromptDesk) {
    let conversation = message.conversation
    if message.isAddressed, conversation != desk.account.jid.bare {
      output.whenOut { [weak self] in self?.runner.state.wrote(conversation, to: desk.account) }
    }
    guard let place = message.place else { return }
    let isOpen = openConversation(at: desk) == conversation
    output.whenOut { [weak self] in
      guard isOpen || self?.openConversation(at: desk) == conversation else { return }
      desk.marks.add(conversation, place.seq)
    }
  }

  /// Whom one talks to is shown as being away only when that is known.
  private func learnPresence(at desk: PromptDesk) {
    EventLoop.main.start {
      await desk.account.learnPresence()
      // Now the contact list is known, too.
      desk.tracker.changed()
      self.refresh()
      self.tellCompany()
    }
  }
}
