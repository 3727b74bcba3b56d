// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// Open requests as they are kept until they are answered, as far as they can be: the session goes on without, after one
/// remark. What could not be kept is told again by the server.
@Client struct RequestCache {
  private let store: (any FriendRequestStore)?
  private let remark: @Client (String) -> Void
  private var hasFailed = false

  init(_ store: (any FriendRequestStore)?, remark: @escaping @Client (String) -> Void) {
    self.store = store
    self.remark = remark
  }

  mutating func load() -> [FriendRequest] {
    do {
      return try store?.loadRequests() ?? []
    } catch {
      fail("The open requests of friendship cannot be read: \(error)")
      return []
    }
  }

  mutating func keep(_ changes: (keep: [FriendRequest], forget: [JID])) {
    do {
      try store?.changeRequests(keep: changes.keep, forget: changes.forget)
    } catch {
      fail("The open requests of friendship cannot be kept: \(error)")
    }
  }

  private mutating func fail(_ text: String) {
    guard !hasFailed else { return }
    hasFailed = true
    remark(text)
  }
}
