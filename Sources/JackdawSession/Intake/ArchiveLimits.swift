// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The bounds of the archive, each with its reason.
package enum ArchiveLimits {
  /// Messages of one page, all of which are in memory at once. Servers give some 50 a page; more would save no round trip.
  package static let page = 100
  /// Pages in a row without a message that can be read. A server that gives so many gives nothing else any more.
  static let barrenPages = 100
  /// How long a server may take to say what time it is: the log-in waits for it.
  static let clockPatience = Duration.seconds(5)
}
