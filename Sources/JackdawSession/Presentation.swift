// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop

/// How far whoever reads what events tell has come.
@Client package struct Presentation {
  /// Runs an action as soon as all that events have told so far has gone out of the process, at once where it has; never where it
  /// cannot go out.
  package var whenOut: @Client (@escaping @Client () -> Void) -> Void
  /// So much is on its way out that messages are deferred: they stay unread in the store.
  package var holdsBack: @Client () -> Bool
  /// Runs an action as soon as there is room again; at once where there is.
  package var whenRoom: @Client (@escaping @Client () -> Void) -> Void

  /// Events that are shown to nobody, or at once.
  package static var immediate: Presentation {
    Presentation(whenOut: { $0() }, holdsBack: { false }, whenRoom: { $0() })
  }

  /// Put together by whoever shows events.
  package init(
    whenOut: @escaping @Client (@escaping @Client () -> Void) -> Void, holdsBack: @escaping @Client () -> Bool,
    whenRoom: @escaping @Client (@escaping @Client () -> Void) -> Void
  ) {
    self.whenOut = whenOut
    self.holdsBack = holdsBack
    self.whenRoom = whenRoom
  }
}
