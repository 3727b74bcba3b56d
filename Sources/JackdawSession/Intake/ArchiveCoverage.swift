// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// How far the log has what the account's archive has (XEP-0313), on the present stream.
enum ArchiveCoverage {
  /// The archive has not been read to its end yet.
  case unread
  /// A message was shown that the log could not take, or went to our other devices alone: the archive has to be read once more.
  case gap
  /// It has been read to its end, and the log has taken all that came since.
  case complete

  /// Something may have come elsewhere since it was read.
  mutating func mayLackSome() {
    if self == .complete { self = .unread }
  }

  /// A reading begins, which brings what was missing.
  mutating func readingBegins() {
    if self == .gap { self = .unread }
  }
}

/// The first of the messages that the server kept while we were offline, at a log-in before which nothing was known of the archive: the
/// archive is read from there. One that comes on a later stream says nothing of what was said before it.
enum FirstKeptMessage {
  /// Nothing looks for it: something was known of the archive.
  case notWanted
  /// It has not come.
  case awaited
  /// The archive's id, if the server vouches for it.
  case came(id: String?)

  /// The id, if there is one.
  var id: String? { if case .came(let id) = self { id } else { nil } }

  /// A stream begins.
  /// - Parameter isFirst: nothing is known of the archive.
  mutating func streamBegins(isFirst: Bool) {
    if id == nil { self = isFirst ? .awaited : .notWanted }
  }
}
