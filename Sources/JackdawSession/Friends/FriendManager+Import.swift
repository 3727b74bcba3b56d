// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

extension FriendManager {
  /// Puts `jid` on the list without asking for anything. An entry that is there stays as it is. Returns when the server has
  /// confirmed it.
  /// - Throws: ``FriendError``, ``RequestError``, ``ConnectionError``; `CancellationError`.
  package func enter(_ jid: JID, name: String?, groups: [String]) async throws {
    let jid = try target(jid)
    take(jid)
    defer { release(jid) }
    try await load()
    try await set(jid) { $0.map { ($0.name, $0.groups) } ?? (name, groups) }
  }
}

extension RosterItem {
  /// Whether the server keeps this name and these groups. A newline or a run of spaces may have become one space on the way:
  /// the name is an attribute, and not every server writes those so that they survive (XML 1.0 section 3.3.3).
  func isCalled(_ name: String?, in groups: [String]) -> Bool {
    func plain(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    return plain(self.name ?? "") == plain(name ?? "") && Set(self.groups.map(plain)) == Set(groups.map(plain))
  }
}
