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

  private let name: String
  private let store: any MessageStore
  private let clock: any LoopClock
  /// Presented, and not noted yet.
  private var presented: [LogPlace] = []
  private var again: LoopTimer?
  /// Called when the log may have what this program is not told of: another one of the account logged it, and acknowledged it to the
  /// server, before this one was there to be sent it.
  package var onMore: (@Client () -> Void)?

  init(_ name: Name, of store: any MessageStore, clock: any LoopClock) {
    self.name = name.text
    self.store = store
    self.clock = clock
    // What is wrong with the store has been told by it.
    if case .bot = name { try? store.open(self.name) }
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
      // First: what another program logs in between is among the messages, or still comes.
      let end = try store.end()
      return Page(messages: try store.unpresented(to: name, after: place, limit: limit), end: end)
    } catch let error as any StoreFailure where error.isBusy {
      return nil
    } catch {
      // What is wrong with the store has been told by it.
      return Page()
    }
  }

  /// These messages have gone out, whole. It is noted at once, or, where the store is locked, as soon as it is not.
  package func presented(_ places: [LogPlace]) {
    presented += places
    note()
  }

  private func note() {
    guard !presented.isEmpty else { return }
    do {
      try store.present(presented, to: name)
      presented = []
      again = nil
    } catch {
      // For ever is not too long: until then the next program would present them again.
      guard presented.count < SessionLimits.presentedUnnoted else { return presented.removeAll() }
      again = clock.schedule(after: SessionLimits.logPause) { [weak self] in self?.note() }
    }
  }
}
