// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// How much of the log was said by others in rooms. Whoever is let into one can say as much as it takes; so beyond some room the oldest of
/// it goes first, shown or not. The archives of rooms have it still.
///
/// It is counted as it grows. Other programs may have removed some, so that all is counted anew before anything goes; then enough goes that it
/// is not done at each message.
struct RoomTotal {
  /// Up to this number of the log it is counted.
  private(set) var through: Int64 = 0
  private(set) var bytes = 0
  /// Down to so many bytes it is brought; nil: there is room.
  private var target: Int?

  /// - Parameter quota: the bytes that there is room for.
  /// - Returns: numbers of the log that are to be removed, a piece of the work; none: there is room.
  mutating func surplus(beyond quota: Int, _ database: Database) throws(DatabaseError) -> [Int64] {
    try count(database)
    if target == nil {
      guard bytes > quota else { return [] }
      (through, bytes) = (0, 0)
      try count(database)
      guard bytes > quota else { return [] }
      target = quota / 8 * 7
    }
    guard let wanted = target, bytes > wanted else {
      target = nil
      return []
    }
    // The log's last number is not given twice.
    let oldest = try database.all(
      """
      SELECT seq, room_bytes FROM message INDEXED BY message_rooms
      WHERE room_bytes IS NOT NULL AND seq > ? AND seq < (SELECT max(seq) FROM message) ORDER BY seq LIMIT ?
      """, MessageTable.firstPlace, StoreLimits.removedAtOnce
    ) { (number: $0.integer(0), bytes: Int($0.integer(1))) }
    var numbers: [Int64] = []
    for message in oldest where bytes > wanted {
      bytes -= message.bytes
      numbers.append(message.number)
    }
    if numbers.isEmpty { target = nil }
    return numbers
  }

  private mutating func count(_ database: Database) throws(DatabaseError) {
    // The database had to begin anew.
    if through >= (try MessageTable.nextNumber(database)) { (through, bytes) = (0, 0) }
    let new = try database.first(
      """
      SELECT ifnull(sum(room_bytes), 0), ifnull(max(seq), 0) FROM message INDEXED BY message_rooms
      WHERE room_bytes IS NOT NULL AND seq > ?
      """, through
    ) { (bytes: Int($0.integer(0)), through: $0.integer(1)) }
    guard let new else { return }
    bytes += new.bytes
    through = max(through, new.through)
  }
}
