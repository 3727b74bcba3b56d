// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawSession

extension MessagePayload {
  /// The message in a few words, for a list and a notification.
  /// - Parameter body: its text.
  func summary(of body: String) -> String {
    if let encryption { return Self.summary(of: body, encryptedWith: encryption) }
    if spoiler != nil { return "spoiler" }
    if !body.isEmpty { return body }
    return subject ?? links.first?.url ?? content?.summary ?? ""
  }

  /// What cannot be read, in a few words.
  static func summary(of body: String, encryptedWith scheme: String) -> String {
    scheme == "OTR" && asksForOTR(body) ? "asks to encrypt with OTR" : "encrypted message (\(scheme))"
  }
}

extension MessageContent {
  /// It in a few words.
  var summary: String {
    let words =
      switch kind {
      case .invitation: "invitation to \(address ?? "a room")"
      case .attention: "wants your attention"
      case .call: "calls"
      case .contacts: "suggests contacts"
      case .place: text ?? url
      case .file, .sticker: name ?? url
      case .form: name ?? text
      case .unknown: "something that Jackdaw cannot show"
      }
    return words ?? kind.rawValue
  }
}
