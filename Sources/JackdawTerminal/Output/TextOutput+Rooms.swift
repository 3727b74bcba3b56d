// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// What happens in rooms beside what is said there.
extension TextOutput {
  func show(_ event: RoomChanged) {
    tellOccupants()
    if isTold(event) { return }
    put(lines.room(event, person(event.room)))
  }

  /// That a room does not let the user in stands in the line above, as the reason of a message that was written there, and there is no more
  /// to it.
  private func isTold(_ event: RoomChanged) -> Bool {
    guard isPrompt, event.change == .refused, event.alternative == nil, let lastFailure else { return false }
    return lastFailure == (event.room, account, event.text ?? "", out.shown)
  }

  func show(_ event: OccupantChanged) {
    occupants.take(event, contact: event.jid.flatMap { names.friend($0, of: account) })
    guard occupantsTimer == nil else { return }
    occupantsTimer = clock.schedule(after: TerminalLimits.presenceWindow) { [weak self] in self?.tellOccupants() }
  }

  func tellOccupants() {
    occupantsTimer = nil
    guard occupants.hasNews else { return }
    endRows()
    for (room, changes) in occupants.drain() { put(lines.occupants(changes, in: person(room))) }
  }
}
