// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// How the prompt calls its user: `bell`, `desktop`, `notify` and the keys beside them.
package struct NotificationSettings: Sendable, Equatable {
  /// What there is to be called for.
  package enum Kind: String, CaseIterable, Sendable {
    /// Somebody wrote to us.
    case message
    /// Somebody asks to be a friend.
    case request
    /// Somebody named us among many.
    case mention
    /// A friend came online.
    case online
  }

  /// `desktop_through`: how a terminal is asked to notify.
  package enum Terminal: String, CaseIterable, Sendable {
    /// As the terminal is known to take it; not at all where that is not known.
    case auto
    /// OSC 9: iTerm2, WezTerm, Ghostty.
    case osc9
    /// OSC 777: foot, rxvt-unicode.
    case osc777
    /// OSC 99: kitty.
    case osc99
  }

  /// `bell`: for what the terminal's bell rings.
  package var bell: [Kind] = usual
  /// `desktop`: for what the terminal is asked to notify.
  package var desktop: [Kind] = usual
  /// `desktop_through`.
  package var terminal: Terminal = .auto
  /// `notify`: the words of a program that is started, without a shell; nil: none.
  package var program: [String]?
  /// `notify_for`: for what.
  package var programKinds: [Kind] = usual
  /// `attention`: the bell rings when somebody asks for attention (XEP-0224).
  package var ringsForAttention = false
  /// `quiet_hours`: nobody is called then.
  package var quiet: QuietHours?

  /// The settings where the file says nothing.
  package init() {}

  /// For what people are called where they said nothing.
  private static let usual: [Kind] = [.message, .request, .mention]

  /// Whether anything is done for `kind` at all.
  func calls(for kind: Kind) -> Bool {
    bell.contains(kind) || desktop.contains(kind) || program != nil && programKinds.contains(kind)
  }
}

/// Hours of each day, by the local clock: `22:00-07:00` is a night.
package struct QuietHours: Sendable, Equatable {
  /// Minutes since midnight; the end is none of them.
  private var first: Int
  private var end: Int

  /// Reads `22:00-07:00`; nil for anything else, and for no time at all.
  package init?(_ text: String) {
    let times = text.split(separator: "-", omittingEmptySubsequences: false).map(Self.minute)
    guard times.count == 2, let first = times[0], let end = times[1], first != end else { return nil }
    (self.first, self.end) = (first, end)
  }

  /// - Parameter minute: since midnight.
  package func contains(_ minute: Int) -> Bool {
    first < end ? first..<end ~= minute : minute >= first || minute < end
  }

  private static func minute(_ text: Substring) -> Int? {
    guard let parts = text.wholeMatch(of: /([0-9]{1,2}):([0-9]{2})/)?.output, let hour = Int(parts.1),
      let minute = Int(parts.2), hour * 60 + minute <= 24 * 60, minute < 60
    else { return nil }
    return hour * 60 + minute
  }
}
