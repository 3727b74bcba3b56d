// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

/// A text that may begin with the number of a message: `3 Yes, at nine`.
enum NumberedText {
  /// - Returns: the number, if one stands at the beginning, and what follows it.
  static func split(_ text: String) -> (number: Int?, text: String) {
    let word = text.prefix { !$0.isWhitespace }
    guard !word.isEmpty, word.count <= 9, word.allSatisfy({ ("0"..."9").contains($0) }), let number = Int(word) else {
      return (nil, text)
    }
    return (number, String(text[word.endIndex...].drop(while: \.isWhitespace)))
  }
}

/// An answer to a message, with what it repeats of that one for programs that know no replies (XEP-0461 3.2).
struct Reply {
  let relation: MessageRelation

  /// - Parameter original: a message with an id.
  init(to original: LoggedMessage) {
    let quote = Self.quote(of: original)
    relation = .replies(to: original.event.id ?? "", quote: quote.isEmpty ? nil : quote)
  }

  /// What was said, each line behind a `>`, without what it quotes itself.
  private static func quote(of original: LoggedMessage) -> String {
    let text = words(of: original).firstCodePoints(CommandLimits.quotedText)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
    guard !lines.isEmpty, !original.fate.isRetracted else { return "" }
    let shown = lines.prefix(CommandLimits.quotedLines).map { "> \($0)\n" }.joined()
    return lines.count > CommandLimits.quotedLines ? shown + "> …\n" : shown
  }

  /// What is hidden until it is asked for (XEP-0382) stays so: its hint is said in its place.
  private static func words(of original: LoggedMessage) -> String {
    guard let hint = original.event.payload?.spoiler, !original.shownText.isEmpty else { return original.shownText }
    return hint.allSatisfy(\.isWhitespace) ? "(spoiler)" : "(spoiler) \(hint)"
  }
}

/// A message of the user's in other words (XEP-0308).
struct Correction {
  /// With the quote that the message had, if it was a reply.
  let relations: [MessageRelation]

  /// - Parameters:
  ///   - original: what the user wrote, with an id.
  ///   - now: the time.
  /// - Throws: ``CommandFailure`` where it is too old for anybody to take this for a correction, or would say nothing.
  init(of original: LoggedMessage, text: String, now: Timestamp) throws(CommandFailure) {
    guard let id = original.event.id, !text.allSatisfy(\.isWhitespace) else {
      throw CommandFailure(.usage, "usage", "There is nothing to put in its place: '/retract' takes a message back.")
    }
    let written = original.event.delayed ?? now
    guard now.milliseconds - written.milliseconds < CommandLimits.correctable else {
      throw CommandFailure(
        .unavailable, "not-acceptable",
        "Your last message here is older than a day: nobody would take this for its correction.")
    }
    relations = [.replaces(id)] + original.event.relations.filter { if case .replies = $0 { true } else { false } }
  }
}

/// What somebody types to react with. Each emoji is a reaction of its own, with spaces between them or without (XEP-0444 4): others
/// may ignore one that is more than an emoji.
struct ReactionList {
  /// Each once.
  let reactions: [String]

  /// - Throws: ``CommandFailure`` for what is not an emoji, or too many.
  init(_ words: [String]) throws(CommandFailure) {
    var reactions: [String] = []
    for word in words {
      let emoji = word.map(String.init)
      guard !emoji.isEmpty, emoji.allSatisfy({ MessageRelation.isReaction($0) && Self.isEmoji($0) }) else {
        throw CommandFailure(.usage, "usage", "'\(word)' is not an emoji: '/react 👍' reacts to the last message.")
      }
      for each in emoji where !reactions.contains(each) { reactions.append(each) }
    }
    guard reactions.count <= StanzaLimits.reactions else {
      throw CommandFailure(.usage, "usage", "No more than \(StanzaLimits.reactions) reactions to one message.")
    }
    self.reactions = reactions
  }

  /// Digits and signs are emoji too, with what makes pictures of them.
  private static func isEmoji(_ word: String) -> Bool {
    word.unicodeScalars.allSatisfy { !$0.isASCII || word.unicodeScalars.count > 1 }
      && word.unicodeScalars.contains { $0.properties.isEmoji && !$0.isASCII || $0.value == 0x20E3 }
  }
}

extension String {
  /// At most so many Unicode code points of it: a single character may have thousands.
  func firstCodePoints(_ count: Int) -> String { String(String.UnicodeScalarView(unicodeScalars.prefix(count))) }

  /// As ``firstCodePoints(_:)``, with a mark where it is cut.
  func cut(toCodePoints count: Int) -> String {
    let head = firstCodePoints(count)
    return head.utf8.count == utf8.count ? self : head + "…"
  }
}
