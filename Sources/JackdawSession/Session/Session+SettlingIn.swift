// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
package import JackdawProtocol

/// From the log-in to being shown.
extension Session {
  /// Runs every feature's request of the log-in side by side, so that all take the longest round trip and not the sum;
  /// then shows us to our contacts. What the server leaves unanswered is waited for no longer than the rest of the log-in can wait: no
  /// message needs it.
  /// - Parameter first: how we are shown, as long as nothing else was asked for; nil: not at all.
  /// - Throws: ``ConnectionError`` when the connection is gone; a single feature's failure is a remark, not an end.
  package func settleIn(showing first: Presence?) async throws {
    if identity.offersStreamManagement, !history.endedInFlood { wire.enable(resumable: !configuration.role.isOneShot) }
    history.streamBegan()
    delivery.streamIsReady(writing: SessionLimits.messagesBeforeRequest)
    await askAtLogin()
    // Who was cancelled meanwhile knows nothing of the stream that there is now: the next log-in has its own.
    guard isOnline, !Task.isCancelled else {
      throw ConnectionError(.lost, "The connection was lost during the log-in.")
    }
    delivery.questionsAreAnswered()
    intake.releaseWithoutArchive()
    // What our contacts said of themselves was said to the program before.
    try features[PresenceBoard.self].announceAtLogin(first, afresh: continuesEarlierRun)
  }

  private func askAtLogin() async {
    let group = RequestGroup(limit: SessionLimits.requestsAtLogin)
    let questions = OpenQuestions(clock: environment.clock)
    for (label, topic, task) in features.loginTasks {
      questions.open.append((label, topic))
      group.add(label, completed: { _ in questions.ended(label) }, { try await task() })
    }
    let (stream, firstQuestion) = (intake.streamNumber, requests.nextSerial)
    let work = EventLoop.main.start { @Client [weak self] () async -> Void in
      do throws(RequestGroupError) {
        try await group.run()
      } catch {
        // Nobody who waited for it is there any more where the stream has ended since.
        guard let self, self.isOn(stream), !questions.isGivenUp else { return }
        for failure in error.failures { environment.remark("\(failure.label): \(failure.error)") }
      }
      // On a stream that was cut and resumed the answers count, too.
      guard let self, self.isOn(stream), !questions.isGivenUp, !Task.isCancelled else { return }
      allIsAnswered()
    }
    let time = configuration.timeout
    let start = environment.clock.now
    do {
      try await questions.wait(for: nil, within: min(SessionLimits.loginPatience, time / 2))
      // Who is a contact is wanted for all that comes, and a long list over a slow line takes its time.
      // Without knowing whether the archive's ids can be believed what comes could not be told from what is read there.
      let end = start + min(SessionLimits.rosterPatience, time * 2 / 3)
      for label in [FriendManager.about.title, StanzaIDs.about.title] {
        try await questions.wait(for: label, within: max(.zero, end - environment.clock.now))
      }
    } catch {
      questions.isGivenUp = true
      group.cancel()
      return await work.value
    }
    // One that has answered nothing at all is more likely gone.
    let isAnswering = requests.lastAnswered.map { $0 >= firstQuestion } ?? false
    guard isAnswering, !questions.open.isEmpty else {
      return await withTaskCancellationHandler {
        await work.value
      } onCancel: {
        work.cancel()
      }
    }
    intake.lacksAnswers = true
    tellOfUnanswered(questions.open.map(\.topic))
  }

  /// This stream has not ended, whatever became of its connection.
  private func isOn(_ stream: Int) -> Bool {
    guard intake.streamNumber == stream else { return false }
    switch phase {
    case .fresh, .resumed, .interrupted: return true
    case .suspended, .ended: return false
    }
  }

  /// All that a log-in asks has been answered, or will not be.
  private func allIsAnswered() {
    guard intake.lacksAnswers else { return }
    intake.lacksAnswers = false
    catchUp.copiesHaveBegun()
  }

  private func tellOfUnanswered(_ topics: [String]) {
    guard isOnline, !hasToldOfUnanswered else { return }
    hasToldOfUnanswered = true
    environment.notice(
      "The server has not answered what a log-in asks about \(topics.joined(separator: ", ")). Jackdaw goes on without."
    )
  }
}

/// Those of a log-in's questions that are not answered yet, for one who waits for them.
@Client private final class OpenQuestions {
  /// By their features' names, in the order of the features. Bounded by them.
  var open: [(label: String, topic: String)] = []
  /// Nobody waits for them any more, and others are asked.
  var isGivenUp = false
  private let clock: any LoopClock
  private var waiting: (label: String?, latch: Latch)?

  init(clock: any LoopClock) { self.clock = clock }

  func ended(_ label: String) {
    open.removeAll { $0.label == label }
    if let waiting, !isOpen(waiting.label) { waiting.latch.open() }
  }

  private func isOpen(_ label: String?) -> Bool {
    label.map { label in open.contains { $0.label == label } } ?? !open.isEmpty
  }

  /// - Parameter label: the one that is waited for; nil: all.
  /// - Throws: `CancellationError`.
  func wait(for label: String?, within limit: Duration) async throws {
    guard isOpen(label), limit > .zero else { return }
    let latch = Latch(clock: clock)
    waiting = (label, latch)
    try await latch.wait(for: limit)
    waiting = nil
  }
}
