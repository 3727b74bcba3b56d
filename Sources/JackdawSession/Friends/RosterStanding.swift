// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// How well the roster is known, on the stream that there is and beyond it (RFC 6121 2.1.6 and 2.6).
///
/// ```
/// none ── streamBegan ─► begun ── asked ─► asked ── answered ─► current
///   └──────────────────── asked ────────────▲ └── failed ─► where it was
/// ```
/// `streamLost` leads back to `none` from everywhere. A stream that an earlier run of the program left, and that was resumed, has not
/// begun: it stays at `none`, as all pushes on it are for what that run knew.
struct RosterStanding: Equatable {
  enum Stage: Equatable {
    /// There is no stream, or one that was resumed from an earlier run; the roster was not asked for.
    case none
    /// A stream has begun: what changed before it is not known, whatever is pushed meanwhile (ejabberd pushes to those, too, who have not
    /// asked for the roster).
    case begun
    /// The server is asked for the roster, on a stream that had begun or was resumed.
    case asked(hasBegun: Bool)
    /// It is the server's, which pushes each change from its answer on (an "interested resource").
    /// - `changesMayFollow`: the server had said only that it is as we knew it, and pushes what has changed since (RFC 6121 2.6.3).
    case current(changesMayFollow: Bool)
  }

  private(set) var stage = Stage.none
  /// Whether there is a roster at all: the store had it, or the server has sent it.
  private(set) var isKnown = false

  /// Whether the server is asked for it just now.
  var isAsked: Bool {
    if case .asked = stage { true } else { false }
  }

  /// Whether it is what the server has.
  var isCurrent: Bool {
    if case .current = stage { true } else { false }
  }

  /// Whether the server may still push what changed before its answer.
  var changesMayFollow: Bool { stage == .current(changesMayFollow: true) }

  /// Whether a push may come before changes that were made earlier: its version must not be kept then.
  var mayMissChanges: Bool { stage == .begun || stage == .asked(hasBegun: true) }

  // MARK: What happened

  mutating func streamBegan() { stage = .begun }

  mutating func streamLost() { stage = .none }

  /// The store had one.
  mutating func recalled() { isKnown = true }

  mutating func asked() { stage = .asked(hasBegun: stage == .begun) }

  /// The server has answered.
  /// - Parameter isUnchanged: it said that the roster is as we know it, and sent none.
  mutating func answered(isUnchanged: Bool) {
    stage = .current(changesMayFollow: isUnchanged)
    isKnown = true
  }

  /// It could not be asked, or did not answer with a roster.
  mutating func failed() { stage = stage == .asked(hasBegun: true) ? .begun : .none }

  /// What the server pushes of earlier changes is here.
  mutating func changesCame() {
    if changesMayFollow { stage = .current(changesMayFollow: false) }
  }
}
