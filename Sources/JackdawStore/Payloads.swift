// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawSession

/// What messages carry beside their texts, as the log has it.
enum Payloads {
  /// - Returns: nil where there is nothing.
  static func text(_ payload: MessagePayload?) -> String? {
    guard let payload, let line = try? JSONLineEncoder.line(of: MessagePayload.Kept(payload)) else { return nil }
    return String(decoding: line.dropLast(), as: UTF8.self)
  }

  static func payload(_ text: String?) -> MessagePayload? {
    guard let text else { return nil }
    var reader = JSONReader(Array(text.utf8))
    return (try? reader.value()).flatMap { MessagePayload(json: $0) }
  }
}
