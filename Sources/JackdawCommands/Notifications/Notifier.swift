// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// Calls the user of the prompt: by the terminal's bell, a notification that the terminal shows, a program of theirs.
@Client final class Notifier {
  private let application: Application
  private let account: Account
  private let control: any PromptControl
  private let programs = SerialQueue()
  private var queue = NotificationQueue()
  private var arrivals = FriendArrivals()
  private var timer: LoopTimer?
  private var lastKey: MonotonicTime?
  /// The one that is open.
  private var conversation: JID?
  private var waitingPrograms = 0
  private var hasFailed = false

  private var settings: NotificationSettings { application.settings.notifications }
  private var clock: any LoopClock { application.clock }

  init(application: Application, account: Account, control: any PromptControl) {
    self.application = application
    self.account = account
    self.control = control
  }

  /// The user pressed a key: whoever looks at a conversation needs not be called to it.
  func touched() { lastKey = clock.now }

  /// No program is started any more.
  func end() {
    timer = nil
    programs.cancel()
  }

  /// - Parameter conversation: the one that is open.
  func take(_ event: any ClientEvent, conversation: JID?) {
    self.conversation = conversation
    switch event {
    case let message as MessageArrived: take(message)
    case let request as FriendRequested: call(request, .request, of: request.jid.bare)
    case let presence as PresenceChanged: take(presence)
    case let connection as ConnectionChanged where connection.state == .online: arrivals.sessionBegan(at: clock.now)
    default: break
    }
  }

  private func take(_ message: MessageArrived) {
    let person = message.conversation
    // What we wrote elsewhere needs no answer, and a reaction none at once.
    guard message.carbon != .sent, person != account.jid.bare, !message.isAnnotation || message.callsForPeople
    else { return }
    // Those of strangers are counted: anybody may send as many as they like.
    if message.isInvitation, !isFriend(message.inviter) { return }
    if person == conversation, let lastKey, clock.now - lastKey < CommandLimits.lookingOn { return }
    if message.kind == .groupchat {
      let notify = account.session?.features[Groupchat.self].record(of: person)?.notify ?? .mention
      guard notify == .always || notify == .mention && message.payload?.isMention == true else { return }
      let kind: NotificationSettings.Kind = message.payload?.isMention == true ? .mention : .message
      return call(message, kind, of: person, isLate: message.delayed != nil)
    }
    call(message, .message, of: person, isLate: message.delayed != nil)
  }

  private func isFriend(_ jid: JID) -> Bool {
    account.session?.features[FriendManager.self].item(for: jid) != nil
  }

  private func take(_ presence: PresenceChanged) {
    guard settings.calls(for: .online), let board = account.session?.features[PresenceBoard.self] else { return }
    let person = presence.from.bare
    // Another device of the user's is no friend.
    guard person != account.jid.bare else { return }
    let isThere = !board.resources(of: person).isEmpty
    if arrivals.isArrival(person, isThere: isThere, at: clock.now) { call(presence, .online, of: person) }
  }

  private func call(_ event: any ClientEvent, _ kind: NotificationSettings.Kind, of person: JID, isLate: Bool = false) {
    guard settings.calls(for: kind) || rings(for: event), !isQuiet else { return }
    let rings = settings.bell.contains(kind) && !isMuted(event) || rings(for: event)
    switch queue.add(event, kind, of: person, isLate: isLate, rings: rings, at: clock.now) {
    case .now: make()
    case .after(let wait): timer = clock.schedule(after: wait) { [weak self] in self?.make() }
    case .asBefore: break
    }
  }

  /// Attention has a setting of its own, whatever else the bell rings for.
  private func rings(for event: any ClientEvent) -> Bool {
    settings.ringsForAttention && (event as? MessageArrived)?.wantsAttention == true
  }

  /// Without a text it is no message that the bell would ring for.
  private func isMuted(_ event: any ClientEvent) -> Bool {
    guard let message = event as? MessageArrived, message.wantsAttention else { return false }
    return message.body.isEmpty
  }

  private var isQuiet: Bool {
    guard let quiet = settings.quiet else { return false }
    let fields = LocalTime.system.fields(application.parts.calendar())
    return quiet.contains(Int(fields.tm_hour) * 60 + Int(fields.tm_min))
  }

  private func make() {
    timer = nil
    let calls = queue.drain(at: clock.now).filter(isNews)
    guard !calls.isEmpty else { return }
    control.notify(
      PromptNotification(
        rings: calls.contains(where: \.rings),
        texts: calls.filter { settings.desktop.contains($0.kind) }.map(text), terminal: settings.terminal))
    for call in calls where settings.programKinds.contains(call.kind) { start(for: call) }
  }

  /// Another device may have said meanwhile that it was read there. What comes into the conversation that is open counts as read
  /// here, whoever looks.
  private func isNews(_ call: NotificationQueue.Call) -> Bool {
    guard call.person != conversation, let message = call.event as? MessageArrived, let place = message.place else {
      return true
    }
    guard let summary = try? account.log.summary(of: call.person) else { return true }
    return summary.unread > 0 || summary.last.number < place.seq
  }

  private func text(_ call: NotificationQueue.Call) -> PromptNotification.Text {
    let item = account.session?.features[FriendManager.self].item(for: call.person)
    let name = item?.name ?? call.person.description
    switch call.event {
    case let message as MessageArrived:
      return PromptNotification.Text(
        name, count: call.count, body: message.payload?.summary(of: message.body) ?? message.body)
    case is FriendRequested:
      return PromptNotification.Text(name, body: "asks to be your friend")
    default: return PromptNotification.Text(name, body: "is online")
    }
  }

  // MARK: The program

  private func start(for call: NotificationQueue.Call) {
    guard let words = settings.program, waitingPrograms < CommandLimits.notificationsGathered else { return }
    let line = application.jsonLine(call.event, of: account.jid.bare)
    waitingPrograms += 1
    programs.add { [weak self] in
      guard let self else { return }
      waitingPrograms -= 1
      await run(words, line)
    }
  }

  private func run(_ words: [String], _ line: [UInt8]) async {
    do {
      let outcome = try await ChildProcess.run(
        words, input: line, outputLimit: 0, deadline: .init(CommandLimits.notificationProgram, by: clock),
        in: application.children)
      if outcome.status != 0 { complain("'\(words[0])' ended with code \(outcome.status)") }
    } catch is CancellationError {
      // The prompt was left.
    } catch {
      complain(CommandFailure(error).text)
    }
  }

  /// Once: it is likely to go on.
  private func complain(_ text: String) {
    guard !hasFailed else { return }
    hasFailed = true
    application.output.notice("Your program for notifications (notify) failed: \(text)")
  }
}
