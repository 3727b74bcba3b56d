// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// A start without any account, by somebody who can be asked.
extension Application {
  /// Whether the prompt is to begin with the question for an account.
  var isFirstStart: Bool {
    settings.chosenAccount == nil && settings.accountNames.isEmpty && settings.configurationPath != nil
      && secrets != nil
  }

  /// Asks for an account until one is logged in, stores it, and goes on at the prompt in the same session.
  func firstStart(talkingTo word: String?) async throws {
    guard let secrets else { return }
    let result = try await FirstStartDialogue(self, terminal: secrets).run()
    use(result.account, as: result.entry)
    do throws(CommandFailure) {
      try settings.configurationFile.add(result.entry)
    } catch {
      output.notice("The account is not stored, and has to be typed again next time: \(error.text)")
    }
    try await runPrompt(of: [(result.account, result.live)]) { prompt in
      let presenter = prompt.follow(
        result.live.session, of: result.account, in: arrivals, after: result.heard.stop())
      if let word { prompt.talk(to: word) }
      presenter.start()
      parts.loop.start { await self.welcome(result.account, result.live.session) }
    }
  }

  /// Shows the first screen, as soon as it is known who is there.
  private func welcome(_ account: Account, _ session: Session) async {
    let presence = session.features[PresenceBoard.self]
    let limit = TimeLimit(CommandLimits.welcomePatience, clock: clock)
    limit.begin()
    // What is not told in time stays unknown.
    try? await limit.run { try await presence.settle() }
    output.show(
      WelcomeRow(account.jid, friends: session.features[FriendManager.self].unsorted, presence: presence), of: "chat",
      account: account.jid)
  }

  /// Finds out whether there is a server of this address that proves who it is. Nothing of the account is sent.
  /// - Throws: ``ConnectionError``; `CancellationError`.
  func reach(_ jid: JID) async throws {
    var entry = Configuration.Account(jid)
    entry.take(settings.given)
    let settings = settings.using(entry)
    try await parts.makeSession(
      SessionConfiguration(
        account: jid, password: "", plan: settings.plan(for: jid), timeout: settings.timeout, role: .probe)
    ).reach()
  }
}

/// Keeps the events of a session until somebody shows them.
@Client final class HeardEvents {
  /// Bounded by the moments that the prompt takes to open.
  private var events: [any ClientEvent] = []
  private let bag = SubscriptionBag()

  init(_ session: Session) {
    session.events.onAny { [weak self] in self?.events.append($0) }.store(in: bag)
  }

  /// What there was; nothing is kept from now on.
  func stop() -> [any ClientEvent] {
    bag.removeAll()
    defer { events = [] }
    return events
  }
}
