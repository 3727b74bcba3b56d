// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

/// What the user wrote to themselves. The server sends such a note back to the device that it came from, under the same id, and so the log
/// has it twice: as it was written, and as it came. For people one of them is enough.
struct NotesToSelf {
  /// The ids of those that stand above as they were written. Bounded by ``TerminalLimits/rememberedNotes``.
  private var written: Set<String> = []

  /// Whether a message that is to be shown is a note that stands above already.
  mutating func repeats(_ message: MessageArrived) -> Bool {
    guard message.from.sharesBare(with: message.to), let id = message.id else { return false }
    // As it was written it is of no device.
    guard message.from.resource == nil else { return written.contains(id) }
    if written.count >= TerminalLimits.rememberedNotes { written = [] }
    written.insert(id)
    return false
  }
}
