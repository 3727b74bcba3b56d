// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawSession

extension MessagePayload {
  /// The message in a few words, for a list, a page and a notification.
  /// - Parameter body: its text.
  func summary(of body: String) -> String {
    if let encryption { return "encrypted message (\(encryption))" }
    if !body.isEmpty { return body }
    return subject ?? links.first?.url ?? ""
  }
}
