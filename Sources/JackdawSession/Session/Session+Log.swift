// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

extension Session {
  /// Everything that was said; nil where nothing is kept.
  package var log: (any MessageLog)? { stores.log }

  /// The log before its beginning; nil where nothing is kept.
  package var earlier: (any EarlierMessages)? { stores.earlier }

  /// The rooms that are kept between runs; nil where nothing is kept.
  package var keptRooms: (any RoomStore)? { stores.rooms }
}
