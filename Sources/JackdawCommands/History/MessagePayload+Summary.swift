// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawSession

extension MessagePayload {
  /// The message in a few words, for a list, a page and a notification.
  /// - Parameter body: its text.
  func summary(of body: String) -> String {
    if let encryption { return Self.summary(encryptedWith: encryption) }
    if spoiler != nil { return "spoiler" }
    if !body.isEmpty { return body }
    if let words = subject ?? links.first?.url { return words }
    guard let content else { return "" }
    let words =
      switch content.kind {
      case .invitation: "invitation to \(content.address ?? "a room")"
      case .attention: "wants your attention"
      case .call: "calls"
      case .contacts: "suggests contacts"
      case .place: content.text ?? content.url
      case .file, .sticker: content.name ?? content.url
      case .form: content.name ?? content.text
      case .unknown: "something that Jackdaw cannot show"
      }
    return words ?? content.kind.rawValue
  }

  /// What cannot be read, in a few words.
  static func summary(encryptedWith scheme: String) -> String { "encrypted message (\(scheme))" }
}
