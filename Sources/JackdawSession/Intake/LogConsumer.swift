// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop

/// One who is presented the messages of the log, each once: what was presented to it is noted under its name, and what was not is
/// there for the next one of that name, whatever ended the program.
@Client package final class LogConsumer {
  /// Who it is.
  package enum Name: Sendable, Hashable {
    /// People at a terminal, or who reads the output: whatever prompt, script or `listen` shows a message first.
    case screen
    /// A program of its own: it begins with what comes after its first start.
    case bot(String)

    fileprivate var text: String {
      switch self {
      case .screen: "screen"
      case .bot(let name): "bot " + name
      }
    }
  }

  /// As the log knows it.
  package let name: String
  private let store: any MessageStore
  private let clock: any LoopClock
  /// The log knows it by its name.
  private var isKnown: Bool
  /// Where the log ended when its name could not be noted, as another program had it locked: what comes behind that is for it.
  private var start: LogPlace?
  /// Presented, and not noted yet. Bounded by ``SessionLimits/presentedUnnoted``.
  private var presented: [LogPlace] = []
  /// That could not be noted as another program has the log locked.
  private var isLocked = false
  private var again: LoopTimer?
  /// Presented, and not in the log. Bounded by ``SessionLimits/toldOfOthers``.
  private var presentedUnlogged: Set<UnloggedMessage> = []
  /// Called when the log may have messages that this program does not get: another program of the account logged and acknowledged them
  /// before this one was online.
  package var onMore: (@Client () -> Void)?

  init(_ name: Name, of store: any MessageStore, clock: any LoopClock) {
    self.name = name.text
    self.store = store
    self.clock = clock
    isKnown = name == .screen
    // The store has reported its error. To read waits for no other program.
    do { try becomeKnown() } catch { start = try? store.end() }
  }

  /// Before anything else is done under its name: what the log does not know would be presented all that it has.
  private func becomeKnown() throws {
    guard !isKnown else { return }
    try store.open(name, from: start)
    isKnown = true
  }

  /// What was not presented, in the order of the log.
  package struct Page {
    /// None at the end of the log, and where the store is of no use; else some, not all that there are.
    package var messages: [MessageArrived] = []
    /// Where the log ended: what stands before it is among those that were not presented, or was.
    package var end: LogPlace?
  }

  /// What was not presented.
  /// - Parameters:
  ///   - place: only what is behind it; nil: all.
  ///   - limit: no more than so many.
  /// - Returns: nil where another program has the log locked: it is to be asked again.
  package func unpresented(after place: LogPlace? = nil, limit: Int) -> Page? {
    note()
    do {
      try becomeKnown()
      // First: what another program logs in between is among the messages, or still comes.
      let end = try store.end()
      return Page(messages: try store.unpresented(to: name, after: place, limit: limit), end: end)
    } catch let error as any StoreFailure where error.isBusy {
      return nil
    } catch {
      // The store has reported its error.
      return Page()
    }
  }

  /// These messages have gone out, whole. It is noted at once, or, where the store is locked, as soon as it is not.
  package func presented(_ places: [LogPlace]) {
    presented += places
    note()
  }

  /// A message that is not in the log has gone out. It is noted if it gets there yet, from the archive.
  package func presentedUnlogged(_ message: MessageArrived) {
    if presentedUnlogged.count >= SessionLimits.toldOfOthers { presentedUnlogged = [] }
    presentedUnlogged.insert(UnloggedMessage(message))
  }

  /// A message that was posted without a place has got one.
  func wasLogged(_ message: UnloggedMessage, at place: LogPlace) {
    if presentedUnlogged.remove(message) != nil { presented([place]) }
  }

  /// Something went out and could not be noted, as another program has the log locked.
  var waitsForLog: Bool { isLocked && !presented.isEmpty }

  /// Notes what has gone out, before the program ends.
  /// - Throws: ``LogIsLocked`` where another program has the log locked.
  func noteLast() throws {
    note()
    if waitsForLog { throw LogIsLocked() }
  }

  private func note() {
    guard !presented.isEmpty else { return }
    do {
      try becomeKnown()
      try store.present(presented, to: name)
      presented = []
      again = nil
    } catch {
      isLocked = (error as? any StoreFailure)?.isBusy ?? false
      // For ever is not too long: until then the next program would present them again.
      guard presented.count < SessionLimits.presentedUnnoted else { return presented.removeAll() }
      // Nor does it end with whoever presented them.
      again = clock.schedule(after: SessionLimits.logPause) { self.note() }
    }
  }
}
