// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// Theirs: posted when somebody can see them, displayed when their lines have gone out.
///
/// A message that arrives while nothing more can be shown is deferred: it is in the store, unread, and the server has been told
/// that it came; its event is posted from there when there is room, or by the next run. So a reader that has stopped reading
/// costs neither memory nor the connection.
extension Chat {
  /// Defers messages until ``resumePresenting()``, for a command that cannot show them yet. As many calls of the one as of the
  /// other.
  package func pausePresenting() { pauses += 1 }

  /// Ends what ``pausePresenting()`` began.
  package func resumePresenting() {
    pauses -= 1
    if isDeferring { presentDeferred() }
  }

  /// Posts a message, or defers it where it can be.
  /// - Parameter number: the store's; nil: it does not have the message.
  func tell(_ event: MessageArrived, _ number: Int64?) {
    // A command that shows none leaves them to the next one that does.
    guard hasBegun, let number else { return context.events.post(event) }
    guard !isDeferring, pauses == 0, !context.presentation.holdsBack() else { return deferMessages() }
    present(event, number)
  }

  private func present(_ event: MessageArrived, _ number: Int64) {
    lastPosted = number
    context.events.post(event)
    pendingDisplay.append(number)
    context.presentation.whenOut { [weak self] in self?.isDisplayed(number) }
  }

  /// From here on messages are posted from the store, so that they keep their order.
  func deferMessages() {
    guard !isDeferring else { return }
    isDeferring = true
    whenRoom()
  }

  private func whenRoom() {
    // Not in the middle of what made room.
    context.presentation.whenRoom { [weak self] in
      self?.context.clock.nextTurn { [weak self] in self?.presentDeferred() }
    }
  }

  /// Posts what was deferred, some at a time.
  private func presentDeferred() {
    guard isDeferring, pauses == 0 else { return }
    // What is wrong with the store has been told by it; they stay there, for the next run.
    let page = (try? store?.unread(after: lastPosted, limit: SessionLimits.deferredPage)) ?? []
    guard !page.isEmpty else {
      isDeferring = false
      return
    }
    for (number, event) in page {
      guard pauses == 0, !context.presentation.holdsBack() else { break }
      present(event, number)
    }
    whenRoom()
  }

  /// The line of a message has gone out. Should the program be killed a moment earlier, it is better shown twice than never.
  private func isDisplayed(_ number: Int64) {
    // Of a store that was begun anew meanwhile it is the number of another one, or of none.
    guard pendingDisplay.first == number else { return }
    _ = pendingDisplay.popFirst()
    if displayed.isEmpty { context.clock.nextTurn { [weak self] in self?.tellStore() } }
    displayed.append(number)
    // Once for many that go out together.
    if pendingDisplay.isEmpty { store?.markShown(number) }
  }
}
