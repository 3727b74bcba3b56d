// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol

/// An address as a person types it who may never have typed one.
enum TypedAddress: Equatable {
  case address(JID)
  /// What is wrong, and how it would be right: one sentence.
  case mistake(String)

  /// - Parameter text: without spaces around it; `xmpp:` before it is taken as meant.
  init(_ text: String) {
    let text = text.lowercased().hasPrefix("xmpp:") ? String(text.dropFirst(5)) : text
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    if text.isEmpty {
      self = .mistake("An address is like you@example.org. Ctrl-D leaves.")
    } else if text.contains(where: \.isWhitespace) {
      self = .mistake("An address has no spaces: it is like you@example.org.")
    } else if parts.count == 1 {
      self = .mistake("'\(text)' is not a whole address: it is like \(Self.example(of: text)).")
    } else if parts[0].isEmpty {
      self = .mistake("Before the @ comes your name, as in you@example.org.")
    } else if parts[1].isEmpty {
      self = .mistake("After the @ comes the server, as in \(parts[0])@example.org.")
    } else {
      do throws(JIDError) {
        self = .address(try JID(text).folded)
      } catch {
        self = .mistake("\(error) An address is like you@example.org.")
      }
    }
  }

  private static func example(of word: String) -> String {
    word.contains(".") ? "you@\(word)" : "\(word)@example.org"
  }
}
