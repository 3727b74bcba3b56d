// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawSession

/// Presents the messages of the log to one consumer: first what nobody of its name was presented, then what comes, each in its
/// place. What was presented is noted when it has gone out; whatever ends the program before leaves it to the next one.
@Client final class Presenter {
  /// What became of a message that was to be presented.
  enum Verdict {
    /// It is on its way out.
    case shown
    /// The same, and it is one that ``Presenter/onCountedOut`` is called for.
    case counted
    /// Whoever took it says itself when it has been presented, or it is not to be: it stays.
    case leftOpen
    /// There is no room for it, nor for those behind it, until ``resume()``.
    case refused

    var isShown: Bool { self == .shown || self == .counted }
  }

  private enum State {
    case waiting
    /// All that is in the log as far as there has been presented, or left; what comes is taken from the log.
    case behind(LogPlace?)
    case live
    case ended
  }

  /// Lines that wait to go out refer to the presenter by this, and do not keep it. A weak reference is dear to make: one does for all messages.
  @Client private final class Reference {
    weak var presenter: Presenter?
  }

  private let output: any Output
  private let consumer: LogConsumer?
  private let clock: any LoopClock
  private let present: @Client (MessageArrived) -> Verdict
  private let reference = Reference()
  private var state = State.waiting
  /// Up to there all has been presented or left, by this run or one before: what another program of the account logged may come
  /// again, on this run's stream or from the archive.
  private var known: LogPlace?
  /// The last place of one that was read from the log to be presented.
  private var fromLog: LogPlace?
  /// The last place of one that was given to ``present``.
  private var reached: LogPlace?
  /// Said from elsewhere, and come while the log was read: what another program of the account on this machine sent is not among what the log
  /// has for whoever is presented it.
  /// Bounded by ``CommandLimits/messagesPresentedAtOnce``.
  private var sentMeanwhile: [MessageArrived] = []
  /// Places of those said from elsewhere that were read from the log since; of so many at most.
  /// Bounded by ``CommandLimits/messagesPresentedAtOnce``.
  private var sentFromLog: Set<LogPlace> = []
  /// The log was locked when it was to be read.
  private var again: LoopTimer?
  /// Their lines are out, and it is not noted yet.
  private var out: [LogPlace] = []
  /// Called with each message of the log whose lines have been written, and the consumer's name, before they are out.
  var onWritten: (@Client (LogPlace, String) -> Void)?
  /// Called each time that the lines of one of those that are counted are out.
  var onCountedOut: (@Client () -> Void)?

  /// - Parameters:
  ///   - consumer: nil where there is no log: what comes is presented, and nothing noted.
  ///   - present: shows a message.
  init(
    output: any Output, consumer: LogConsumer?, clock: any LoopClock,
    present: @escaping @Client (MessageArrived) -> Verdict
  ) {
    self.output = output
    self.consumer = consumer
    self.clock = clock
    self.present = present
    reference.presenter = self
    consumer?.onMore = { [weak self] in self?.lookAgain() }
  }

  /// Presents what was not presented, and from then on what is given to ``take(_:)``.
  func start() {
    guard case .waiting = state else { return }
    state = .behind(nil)
    catchUp()
  }

  /// There is room again.
  func resume() {
    guard case .behind = state else { return }
    catchUp()
  }

  /// Presents nothing more; what is on its way out is still noted when it is out.
  func end() { state = .ended }

  /// A message came.
  func take(_ message: MessageArrived) {
    switch state {
    case .ended: return
    case .waiting, .behind:
      // What is in the log is taken from there.
      guard message.place != nil else { return _ = showsUnlogged(message) }
      let hasRoom = sentMeanwhile.count < CommandLimits.messagesPresentedAtOnce
      if case .behind = state, message.carbon == .sent, hasRoom, !isKnown(message) { sentMeanwhile.append(message) }
    case .live:
      if isKnown(message) { return }
      if !shows(message) { state = .behind(before(message)) }
    }
  }

  private func isKnown(_ message: MessageArrived) -> Bool {
    guard let place = message.place, let known else { return false }
    return place.beginning == known.beginning && place.seq <= known.seq
  }

  /// What has gone out is noted now: before the program ends.
  func settle() {
    guard !out.isEmpty else { return }
    consumer?.presented(out)
    out = []
  }

  /// Presents what another program logged behind what was presented here, and what nobody was presented. What comes meanwhile is taken from
  /// the log, in its place.
  private func lookAgain() {
    guard case .live = state, let start = [known, reached].compactMap({ $0 }).max() else { return }
    // What is on its way out stands before that, and is not read again. It is not waited for: what is collected for an answer goes out at
    // the end.
    state = .behind(start)
    resume()
  }

  private func catchUp() {
    guard let consumer else { return state = .live }
    while case .behind(let place) = state {
      guard let page = consumer.unpresented(after: place, limit: CommandLimits.messagesPresentedAtOnce) else {
        again = clock.schedule(after: CommandLimits.logPause) { [weak self] in self?.resume() }
        return
      }
      for message in page.messages {
        guard shows(message) else { return }
        if case .ended = state { return }
        state = .behind(message.place)
        fromLog = message.place
        let isNoted = message.carbon == .sent && sentFromLog.count < CommandLimits.messagesPresentedAtOnce
        if isNoted, let place = message.place { sentFromLog.insert(place) }
      }
      // A page ends where it has enough bytes too: only an empty one is the end.
      guard page.messages.isEmpty else { continue }
      // Later on, what another program presented may still come here, too.
      known = [known ?? page.end, fromLog].compactMap { $0 }.max()
      state = .live
      presentSentMeanwhile()
    }
  }

  private func presentSentMeanwhile() {
    let (messages, known) = (sentMeanwhile, sentFromLog)
    (sentMeanwhile, sentFromLog) = ([], [])
    for message in messages where message.place.map({ !known.contains($0) }) ?? true {
      // What there is no room for is known to whoever sent it.
      guard case .live = state, shows(message) else { return }
    }
  }

  private func before(_ message: MessageArrived) -> LogPlace? {
    message.place.map { LogPlace(seq: $0.seq - 1, beginning: $0.beginning) }
  }

  /// - Returns: false when there is no room.
  private func shows(_ message: MessageArrived) -> Bool {
    guard let place = message.place else { return showsUnlogged(message) }
    guard !output.holdsBack else {
      waitForRoom()
      return false
    }
    let verdict = present(message)
    guard verdict != .refused else { return false }
    reached = max(reached ?? place, place)
    if verdict.isShown {
      if let onWritten, let consumer { onWritten(place, consumer.name) }
      output.whenOut { [reference] in reference.presenter?.isOut(place, verdict) }
    }
    return true
  }

  /// Shows a message that the log could not take, and may yet take.
  /// - Returns: false when there is no room.
  private func showsUnlogged(_ message: MessageArrived) -> Bool {
    let verdict = present(message)
    if verdict.isShown {
      output.whenOut { [weak self] in
        if verdict == .counted { self?.onCountedOut?() }
        self?.consumer?.presentedUnlogged(message)
      }
    }
    return verdict != .refused
  }

  /// What whoever reads the output has no time for stays in the log, and not in memory.
  private func waitForRoom() {
    output.whenRoom { [weak self] in
      // Not in the middle of what made room.
      self?.clock.nextTurn { [weak self] in self?.resume() }
    }
  }

  /// Once for all that go out in one turn.
  private func isOut(_ place: LogPlace, _ verdict: Verdict) {
    if verdict == .counted { onCountedOut?() }
    out.append(place)
    if out.count == 1 { clock.nextTurn { [weak self] in self?.settle() } }
  }
}
