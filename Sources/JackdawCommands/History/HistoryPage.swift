// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

/// History as a page of HTML that stands alone: it loads nothing, runs nothing, and is readable on a phone, light and dark. What was said
/// stands there as text, whatever it holds.
struct HistoryPage {
  /// What somebody is called.
  let name: (JID) -> String
  let localTime: LocalTime
  private var day: String?

  init(name: @escaping (JID) -> String, localTime: LocalTime = .system) {
    self.name = name
    self.localTime = localTime
  }

  /// - Parameter title: as it is, however hostile.
  static func beginning(_ title: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
    <meta name="referrer" content="no-referrer">
    <title>\(escaped(title))</title>
    <style>
    :root { color-scheme: light dark; --back: #fff; --text: #1a1a1a; --faint: #666; --theirs: #eef0f3; --own: #d9ecff; }
    @media (prefers-color-scheme: dark) {
      :root { --back: #16181b; --text: #e6e6e6; --faint: #999; --theirs: #262a2f; --own: #14385c; }
    }
    body { margin: 0 auto; padding: 1rem; max-width: 45rem; background: var(--back); color: var(--text);
      font: 1rem/1.4 system-ui, sans-serif; overflow-wrap: anywhere; }
    h1 { font-size: 1.3rem; }
    h2 { margin: 1.5rem 0 .5rem; font-size: .9rem; text-align: center; color: var(--faint); }
    article { margin: .4rem 3rem .4rem 0; padding: .4rem .7rem; border-radius: .6rem; background: var(--theirs); overflow: hidden; }
    article.own { margin: .4rem 0 .4rem 3rem; background: var(--own); }
    header, footer { font-size: .8rem; color: var(--faint); }
    p, blockquote { margin: 0; white-space: pre-wrap; unicode-bidi: plaintext; }
    summary { cursor: pointer; color: var(--faint); }
    blockquote { padding-left: .5rem; border-left: .2rem solid var(--faint); color: var(--faint); }
    </style>
    </head>
    <body>
    <h1>\(escaped(title))</h1>

    """
  }

  static let end = "</body>\n</html>\n"

  /// A message, under its day.
  /// - Parameter isOfOne: whom our own are for goes without saying.
  mutating func message(_ message: LoggedMessage, isOfOne: Bool) -> String {
    let event = message.event
    var html = ""
    let written = event.delayed ?? Timestamp(milliseconds: 0)
    let day = localTime.day(written)
    if day != self.day { html += "<h2>\(day)</h2>\n" }
    self.day = day
    let with = name(message.conversation)
    // What another device of the user's said in a room comes from there.
    func own(_ jid: JID) -> String { message.isInRoom && jid.bare == message.conversation.bare ? "me" : name(jid.bare) }
    let theirs = event.kind == .groupchat ? message.speaker.map { isOfOne ? $0 : "\($0) in \(with)" } ?? with : with
    let who = message.isOutgoing ? own(event.from) + (isOfOne ? "" : " → " + with) : theirs
    let state =
      switch message.state {
      case .waiting, .sent: " (not sent yet)"
      case .failed: " (not delivered)"
      case .server, .delivered, .displayed, nil: ""
      }
    let remark = message.remark.map { " (\($0))" } ?? ""
    let reactions = message.fate.reactions.map { reaction in
      let who = reaction.isOwn ? own(reaction.from) : name(reaction.from)
      return Self.escaped(reaction.with.joined(separator: " ")) + " <bdi>" + Self.escaped(who) + "</bdi>"
    }
    html += message.isOutgoing ? "<article class=\"own\">" : "<article>"
    html +=
      "<header><bdi>\(Self.escaped(who))</bdi>\(state)\(remark) <time datetime=\"\(written)\">\(localTime.clock(written))</time></header>"
    if !event.quotedText.isEmpty { html += "<blockquote>\(Self.escaped(Self.unmarked(event.quotedText)))</blockquote>" }
    let speaker = message.isOutgoing ? own(event.from) : event.kind == .groupchat ? message.speaker ?? with : with
    html += Self.content(of: message, by: speaker)
    if !reactions.isEmpty { html += "<footer>\(reactions.joined(separator: ", "))</footer>" }
    return html + "</article>\n"
  }

  /// What a reply repeats, without the marks of a quote (XEP-0393) and the line break behind it.
  private static func unmarked(_ quote: String) -> String {
    let lines = quote.split(separator: "\n", omittingEmptySubsequences: true)
    return lines.map { $0.hasPrefix("> ") ? $0.dropFirst(2) : $0 }.joined(separator: "\n")
  }

  /// A text as HTML shows it: nothing of it is taken for a tag or an entity, and no control has an effect.
  static func escaped(_ text: String) -> String {
    var output = ""
    output.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": output += "&amp;"
      case "<": output += "&lt;"
      case ">": output += "&gt;"
      case "\"": output += "&quot;"
      case "'": output += "&#39;"
      case "\n", "\t": output.unicodeScalars.append(scalar)
      case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{202A}"..."\u{202E}",
        "\u{2066}"..."\u{2069}",
        "\u{FFFE}", "\u{FFFF}":
        output += "\u{FFFD}"
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output
  }
}
