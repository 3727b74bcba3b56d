// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// How far the archive of a room is read (XEP-0313), from one reading to the next.
struct RoomReading {
  /// Counts the reads: one that is not the last is ignored.
  private(set) var number = 0
  /// How many reads in a row did not reach the end.
  private(set) var failures = 0
  /// The archive id up to which it was read this time, or behind which the read begins; nil: nothing of it was known.
  private(set) var upTo: String?
  /// Nothing was known of the room when the user entered it, and its archive has not been read to its end since: though the log has live
  /// messages, earlier ones may be missing.
  private(set) var isFirst = false
  /// A message that came since the last read began could not be logged.
  private(set) var missesSome = false
  /// The read has met the messages that are held back: later ones do not move ``upTo``.
  private var hasMetHeld = false

  /// The user has entered the room.
  mutating func entered() { (failures, isFirst) = (0, false) }

  /// It is begun once more.
  /// - Returns: its number.
  mutating func begun() -> Int {
    (upTo, hasMetHeld, missesSome) = (nil, false, false)
    number += 1
    return number
  }

  /// It is about to ask for what is behind an id; nil: nothing is known of the room.
  mutating func starts(behind id: String?) {
    (upTo, hasMetHeld) = (id, false)
    if id == nil { isFirst = true }
  }

  /// A page has been stored.
  /// - Parameters:
  ///   - ids: of the archive, in its order.
  ///   - last: of the page, as the archive said; nil: it did not.
  ///   - isHeld: whether the message of an id came live as well and is held back, so that it was left out here. Should it be dropped,
  ///     the archive is read from there on.
  mutating func took(_ ids: [String], last: String?, isHeld: (String) -> Bool) {
    guard !hasMetHeld else { return }
    guard let place = ids.firstIndex(where: isHeld) else { return upTo = last ?? upTo }
    hasMetHeld = true
    if place > 0 { upTo = ids[place - 1] }
  }

  /// The archive holds nothing: all that comes to be there is news.
  mutating func foundNothing() { upTo = ArchiveCursor.beginning }

  /// A message could not be logged.
  mutating func missed() { missesSome = true }

  /// It came to its end.
  mutating func ended() { (failures, isFirst) = (0, false) }

  /// It stopped before its end where nothing failed: so much is read at a time.
  mutating func paused() { failures = 0 }

  /// The next one is put off.
  /// - Returns: how often in a row that was so before.
  mutating func isPutOff() -> Int {
    defer { failures += 1 }
    return failures
  }
}
