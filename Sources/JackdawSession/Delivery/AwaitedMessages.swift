// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Messages whose fate somebody wants to know.
struct AwaitedMessages {
  private enum Kind {
    case through(Int)
    case allBut(Int)
    case onStreamAllBut(Int)
    case these([String])
  }

  private let kind: Kind
  /// Of these, so many from the first on are known to be settled, which none is taken back from: each is looked at once.
  private var settled = 0

  /// All up to the one of this number.
  static func through(_ number: Int) -> AwaitedMessages { .init(kind: .through(number)) }

  /// So many that no more than this are open.
  static func allBut(_ count: Int) -> AwaitedMessages { .init(kind: .allBut(count)) }

  /// So many that no more than this stand on the stream before what is sent next.
  static func onStreamAllBut(_ count: Int) -> AwaitedMessages { .init(kind: .onStreamAllBut(count)) }

  static func these(_ ids: some Sequence<String>) -> AwaitedMessages { .init(kind: .these(Array(ids))) }

  private init(kind: Kind) { self.kind = kind }

  /// True if the caller named ids; acknowledgements of later messages then do not count.
  var areNamed: Bool { if case .these = kind { true } else { false } }

  /// Whether the fate of one of them is open.
  mutating func areOpen(in outbox: Outbox) -> Bool {
    switch kind {
    case .through(let number): return outbox.firstOpen ?? .max <= number
    case .allBut(let count): return outbox.openCount > count
    case .onStreamAllBut(let count): return outbox.writtenCount > count
    case .these(let ids):
      while settled < ids.count, outbox[ids[settled]]?.state.isOpen != true { settled += 1 }
      return settled < ids.count
    }
  }

  /// How many of them are open; of those that are not named, how many are at all.
  func openCount(in outbox: Outbox) -> Int {
    guard case .these(let ids) = kind else { return outbox.openCount }
    return ids[settled...].count { outbox[$0]?.state.isOpen == true }
  }

  /// How many messages are open up to the last of these; where the caller named no ids, how many are open at all. It shrinks whenever the
  /// server acknowledges an earlier message.
  func openCount(upToLastIn outbox: Outbox) -> Int {
    guard case .these(let ids) = kind else { return outbox.openCount }
    var last = 0
    for id in ids[settled...] { last = max(last, outbox[id]?.number ?? 0) }
    return outbox.openCount(through: last)
  }
}
