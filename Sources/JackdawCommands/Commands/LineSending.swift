// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `send --lines`: each line of stdin is on its way as soon as it comes, and shown as soon as it has arrived. A line that cannot be
/// sent is named, and those behind it go all the same.
@Client final class LineSending {
  private let recipients: [JID]
  private var confirms: Bool
  private let context: CommandContext
  /// By id, which line a message is of, until it has arrived. Bounded by the messages that may be open.
  private var sent: [String: (line: Int, to: JID)] = [:]
  /// The ids of those that are shown once they are written, where nothing more is waited for. Bounded by the messages that may be open.
  private var unwritten: Set<String> = []
  private var writing: Subscription?
  private var last: CommandFailure?
  private var wasCleaned = false

  /// - Parameter confirms: waits until the server has each message, and not only until each is written.
  init(to recipients: [JID], confirms: Bool, _ context: CommandContext) {
    var seen: Set<JID> = []
    self.recipients = recipients.filter { seen.insert($0).inserted }
    self.confirms = confirms
    self.context = context
  }

  /// Sends until stdin ends.
  /// - Throws: what ended it early; the last failure of a line, which has been shown.
  func run() async throws {
    let session = try await context.session()
    for jid in recipients { try await context.application.approach(jid, of: context.account()) }
    try await context.refuseMissingRooms(recipients, session)
    // What cannot go out at once, into a room that has to be entered first say, would stay here when the command ends.
    if recipients.contains(where: { session.delivery.sending(to: $0) == .waits }) { confirms = true }
    let confirmations = Confirmations(
      session, onConfirmed: { [weak self] in self?.arrived($0) }, onFailed: { [weak self] in self?.failed($0, $1) })
    if !confirms {
      writing = session.events.on(MessageStateChanged.self) { [weak self] in
        if $0.state == .sent { self?.wrote($0.id) }
      }
    }
    do {
      try await readLines(session, confirmations)
    } catch {
      // Those before are still to go; the failure that ended it is the one told.
      try? await settle(confirmations)
      throw error
    }
    try await settle(confirmations)
    if let last { throw last }
  }

  /// Waits until all have got as far as is asked for.
  private func settle(_ confirmations: Confirmations) async throws {
    if confirms {
      try await confirmations.finish(within: context.timeout)
    } else {
      try await confirmations.written(within: context.timeout)
    }
  }

  private func readLines(_ session: Session, _ confirmations: Confirmations) async throws {
    var number = 0
    while true {
      number += 1
      do throws(CommandFailure) {
        guard let line = try await context.application.input.nextLine() else { return }
        do throws(CommandFailure) {
          guard !line.allSatisfy(\.isWhitespace) else { continue }
          let body = try OutgoingText.message(line, emptiness: .badInput) { tellOfCleaning() }
          for to in recipients { try send(body, to: to, of: number, session, confirmations) }
        } catch {
          throw error.located("line \(number)")
        }
      } catch {
        // There is no next line, or nobody who waits for it.
        guard ![.inputOutput, .interrupted].contains(error.code) else { throw error }
        // Of one that cannot be read, the source has said which it is.
        tell(error)
      }
      try await session.delivery.waitForRoom(within: context.timeout)
    }
  }

  private func send(
    _ body: String, to: JID, of line: Int, _ session: Session, _ confirmations: Confirmations
  ) throws(CommandFailure) {
    do {
      let id = try session.delivery.send(body, to: to)
      sent[id] = (line, to)
      if !confirms { unwritten.insert(id) }
      confirmations.add(id)
      context.openMessages?.add(id, in: session)
      context.tellSaid(body, id: id, to: to, session)
    } catch {
      throw CommandFailure(error)
    }
  }

  private func wrote(_ id: String) {
    guard unwritten.remove(id) != nil, let (_, to) = sent[id] else { return }
    context.show(SentRow(id: id, to: to, state: .sent))
  }

  private func arrived(_ id: String) {
    context.openMessages?.remove(id)
    guard let (_, to) = sent.removeValue(forKey: id), confirms else { return }
    context.show(SentRow(id: id, to: to, state: .server))
  }

  private func failed(_ id: String, _ error: any Error) {
    unwritten.remove(id)
    context.openMessages?.remove(id)
    guard let (line, _) = sent.removeValue(forKey: id) else { return }
    tell(CommandFailure(error).located("line \(line)"))
  }

  private func tell(_ failure: CommandFailure) {
    context.fail(failure)
    last = failure
    last?.isShown = true
  }

  private func tellOfCleaning() {
    guard !wasCleaned else { return }
    wasCleaned = true
    context.output.notice(OutgoingText.cleaned)
  }
}
