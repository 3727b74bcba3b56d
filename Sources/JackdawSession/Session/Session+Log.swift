// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

extension Session {
  /// Everything that was said; nil where nothing is kept.
  package var log: (any MessageLog)? { stores.log }

  /// The log before its beginning; nil where nothing is kept.
  package var earlier: (any EarlierMessages)? { stores.earlier }

  /// The rooms that are kept between runs; nil where nothing is kept.
  package var keptRooms: (any RoomStore)? { stores.rooms }

  /// What became of ours, or was presented, is still to be noted, as another program has the log locked.
  package var hasUnnoted: Bool { delivery.hasToNote || intake.hasUnnoted }

  /// Before it ends: what became of ours would be sent again by the next program, and what was presented shown again. A log that another
  /// program has locked is waited for, but not for ever.
  func noteLast() async {
    try? await core.patiently {
      try delivery.noteLast()
      try intake.noteLast()
    }
  }
}
