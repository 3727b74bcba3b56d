// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

/// What messages carry beside their texts.
extension TextLines {
  /// Adds it to a message: marks in round brackets are the program's words, those in square brackets the sender's. What stands beside the
  /// text comes in lines behind it.
  /// - Parameter who: the sender at the beginning of a sentence.
  func add(_ payload: MessagePayload, to entry: inout TextEntry, who: String) {
    if let scheme = payload.encryption {
      let words = "\(who) sent an encrypted message (\(Self.remark(scheme))) that Jackdaw cannot read."
      return entry.say(words)
    }
    if let subject = payload.subject { entry.label.text += " [\(Self.remark(subject))]" }
    add(payload.links, to: &entry)
    if entry.body.isEmpty, entry.label.separator == ": " { entry.label.separator = ":" }
  }

  /// An address that is all of the text, or stands in it, is not shown twice.
  private func add(_ links: [MessagePayload.Link], to entry: inout TextEntry) {
    for link in links {
      let words = link.description.map { Self.remark($0) }
      if entry.body.isEmpty || entry.body == link.url {
        entry.body = link.url
        entry.label.text += " (link)"
        if let words { entry.body += "\n" + words }
      } else if !entry.body.contains(link.url) {
        entry.body += "\nlink: " + Escaper.line(link.url) + (words.map { " (\($0))" } ?? "")
      } else if let words, !entry.body.contains(words) {
        entry.body += "\nlink: " + words
      }
    }
  }
}

extension TextEntry {
  /// Makes a line of the program of it.
  /// - Parameter words: safe to show.
  mutating func say(_ words: String) {
    label = .notice
    look = .faint
    body = words
    isOurs = true
  }
}
