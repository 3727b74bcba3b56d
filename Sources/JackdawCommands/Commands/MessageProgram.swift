// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// The program that `listen --exec` hands messages to, one after the other, so that answers go out in the order of what they
/// answer.
///
/// A run that takes too long is ended, which is told, and the next message has its turn.
///
/// A message has been presented when the program has ended well for it: till then it stays in the log, and is handed over again by the
/// next run. Where there is no log, a message that comes while too many wait is not handed over, which is told, and the command
/// does not end well: nothing is dropped in silence.
@Client final class MessageProgram {
  private let words: [String]
  private let replies: Bool
  private let context: CommandContext
  private let queue = SerialQueue()
  private var waiting: WaitingMessages
  /// Messages were left in the log for want of room.
  private var isFull = false
  private var brake = ReplyBrake()
  private var session: Session?
  private var consumer: LogConsumer?
  private var confirmations: Confirmations?
  private var whenBroken: (@Client () -> Void)?
  private var whenRoom: (@Client () -> Void)?
  private var dropped = 0
  private var failure: CommandFailure?
  private var limit: TimeLimit?
  private var isHurried = false
  /// From then on nothing is begun that the log has for the next start.
  private var lastBeginning: MonotonicTime?

  /// - Parameters:
  ///   - words: the program and its arguments.
  ///   - replies: what it prints is sent back.
  ///   - limits: how much may wait for it.
  init(_ words: [String], replies: Bool, context: CommandContext, limits: WaitingMessages.Limits = .init()) {
    waiting = WaitingMessages(limits: limits)
    self.words = words
    self.replies = replies
    self.context = context
  }

  /// - Parameters:
  ///   - consumer: what the program ended well for is noted there.
  ///   - whenBroken: called when the program cannot be run at all.
  ///   - whenRoom: called when messages may be handed over again.
  func begin(
    _ session: Session, consumer: LogConsumer?, whenBroken: @escaping @Client () -> Void,
    whenRoom: @escaping @Client () -> Void
  ) {
    self.session = session
    self.consumer = consumer
    self.whenRoom = whenRoom
    self.whenBroken = whenBroken
    confirmations = Confirmations(session)
  }

  /// Whether one more message of the log may wait; if not, ``begin(_:consumer:whenBroken:whenRoom:)`` was told what to call when it
  /// may.
  func hasRoom() -> Bool {
    isFull = isFull || !waiting.hasRoom
    return !isFull
  }

  /// A message is to be handed over when its turn comes.
  func take(_ message: MessageArrived) {
    guard failure == nil, let session else { return }
    let own = session.identity.account
    let isKnown =
      message.from.bare == own.bare || message.kind == .groupchat
      || session.features[FriendManager.self].item(for: message.from.bare) != nil
    let mayBeAnswered = ReplyBrake.mayBeAnswered(message, own: own, now: session.environment.calendar())
    guard waiting.add(message, of: isKnown ? .known(message.from.bare) : .strangers, mayBeAnswered: mayBeAnswered)
    else {
      if dropped == 0 {
        context.output.notice(
          "\(waiting.count) messages wait for '\(words[0])': those that come now are not handed to it.")
      }
      dropped += 1
      return
    }
    if !queue.isBusy { queue.add { await self.work() } }
  }

  /// One after the other, until none waits.
  private func work() async {
    while !Task.isCancelled, failure == nil, let entry = waiting.next() {
      if isFull, waiting.hasMuchRoom {
        isFull = false
        whenRoom?()
      }
      if isLeft(entry) { continue }
      if let message = await message(of: entry) { await run(for: message, mayBeAnswered: entry.mayBeAnswered) }
    }
  }

  /// - Returns: nil for one that is not in the log any more, or that another program of this name has dealt with.
  private func message(of entry: WaitingMessages.Entry) async -> MessageArrived? {
    guard case .inLog(let place, let delayed) = entry.text else {
      if case .here(let message) = entry.text { return message }
      return nil
    }
    let before = LogPlace(seq: place.seq - 1, beginning: place.beginning)
    while !Task.isCancelled {
      if let page = consumer?.unpresented(after: before, limit: 1) {
        guard var message = page.messages.first, message.place == place else { return nil }
        message.delayed = delayed
        return message
      }
      // Another program has the log locked.
      try? await context.application.clock.sleep(for: CommandLimits.logPause)
    }
    return nil
  }

  private func isLeft(_ entry: WaitingMessages.Entry) -> Bool {
    guard let lastBeginning, entry.isInLog else { return false }
    return context.application.clock.now >= lastBeginning
  }

  /// The time of listening is over: what waits is handed over for a few seconds more, and the rest at the next start. The run that is under
  /// way then ends by itself.
  func timeIsOver() { lastBeginning = context.application.clock.now + CommandLimits.lastPrograms }

  /// The end has been asked for: what waits may take a few seconds more.
  func hurries() {
    isHurried = true
    limit?.begin()
  }

  /// Waits for the program's last run, and until the server has every answer.
  /// - Throws: ``CommandFailure`` when some message was not handed over or some answer did not arrive.
  func finish() async throws {
    let limit = TimeLimit(CommandLimits.lastPrograms, clock: context.application.clock)
    self.limit = limit
    if isHurried { limit.begin() }
    do {
      try await limit.run { [self] in
        await queue.drain()
        try Task.checkCancellation()
        try await confirmations?.finish(within: context.timeout)
      }
    } catch is CancellationError where limit.hasPassed {
      throw CommandFailure(.interrupted, "interrupted", "'\(words[0])' was ended before it had every message.")
    }
    if let failure { throw failure }
    if dropped > 0 {
      throw CommandFailure(
        .tryAgain, "overrun", "\(dropped) messages were not handed to '\(words[0])', which was too slow.")
    }
  }

  private func run(for message: MessageArrived, mayBeAnswered: Bool) async {
    guard let account = session?.identity.account else { return }
    do {
      let outcome = try await ChildProcess.run(
        words, input: context.application.jsonLine(message, of: account), outputLimit: CommandLimits.answerBytes + 1,
        deadline: .init(max(CommandLimits.programRun, context.timeout), by: context.application.clock),
        in: context.application.children, within: context.application.surroundings)
      guard outcome.status == 0 else {
        return context.output.notice("'\(words[0])' ended with code \(outcome.status).")
      }
      if replies, mayBeAnswered { try answer(message, outcome.output) }
      if let place = message.place { consumer?.presented([place]) } else { consumer?.presentedUnlogged(message) }
    } catch let error as ChildProcessError {
      failure = CommandFailure(error)
      whenBroken?()
    } catch let error as ChildProcessTimeout {
      context.output.notice(
        "'\(words[0])' took longer than \(error.limit.inSeconds) over a message from \(message.from), and was stopped.")
    } catch is CancellationError {
      // Told by whoever cancelled it.
    } catch {
      context.fail(CommandFailure(error))
    }
  }

  private func answer(_ message: MessageArrived, _ output: [UInt8]) throws {
    guard let session else { return }
    guard output.count <= CommandLimits.answerBytes else {
      return context.output.notice(
        "'\(words[0])' printed more than 1 MB for a message from \(message.from), which is not sent.")
    }
    guard let printed = String(validating: output, as: UTF8.self) else {
      return context.output.notice(
        "'\(words[0])' printed what is not UTF-8, and a message from \(message.from) is not answered.")
    }
    let text = PipedText.withoutControls(printed) ?? printed
    guard let last = text.lastIndex(where: { !$0.isNewline }), !text.allSatisfy(\.isWhitespace) else { return }
    let body: String
    do throws(CommandFailure) {
      body = try OutgoingText.checked(String(text[...last]))
    } catch {
      return context.output.notice(
        "'\(words[0])' printed a character that cannot be sent, and a message from \(message.from) is not answered.")
    }
    // Who asks in a room is answered there.
    let answered = message.kind == .groupchat ? message.conversation : message.from
    switch brake.answer(to: answered, at: context.application.clock.now) {
    case .sends: break
    case .isStopped: return
    case .stops:
      let (count, window) = (CommandLimits.brakeAnswers, CommandLimits.brakeWindow.inSeconds)
      return context.output.notice(
        """
        \(message.from.bare) gets no more answers, as \(count) went there within \(window): is that a program too? \
        What comes is still handed over, and answered again after \(CommandLimits.brakeRest.inSeconds) of silence.
        """)
    }
    try context.messageGoes(to: answered, in: session)
    let id = try session.delivery.send(body, to: answered)
    confirmations?.add(id)
    context.tellSaid(body, id: id, to: answered, session)
  }
}
