// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawSession

/// What a message of the page says, and all that came with it: the page may be the only copy that is left.
extension HistoryPage {
  /// - Parameter speaker: what whoever said it is called.
  static func content(of message: LoggedMessage, by speaker: String) -> String {
    guard let payload = message.event.payload, message.encryption == nil else {
      return said(message.summary, by: speaker)
    }
    let subject = payload.subject.map { "<p><b>\(escaped($0))</b></p>" } ?? ""
    let lines = lines(of: message, payload)
    guard !lines.isEmpty else { return subject.isEmpty ? said(message.summary, by: speaker) : subject }
    let text = said(lines[0], by: speaker) + lines.dropFirst().map(paragraph).joined()
    guard let hint = payload.spoiler else { return subject + text }
    let fold = hint.isEmpty ? "(spoiler)" : "(spoiler) <bdi>\(escaped(hint))</bdi>"
    return "\(subject)<details><summary>\(fold)</summary>\(text)</details>"
  }

  private static func paragraph(_ text: String) -> String { "<p>\(escaped(text))</p>" }

  /// A text, or what somebody does (XEP-0245).
  private static func said(_ text: String, by speaker: String) -> String {
    guard text.hasPrefix("/me ") else { return paragraph(text) }
    return "<p>* <bdi>\(escaped(speaker))</bdi> \(escaped(String(text.dropFirst(4))))</p>"
  }

  /// The text, and what it does not say itself.
  private static func lines(of message: LoggedMessage, _ payload: MessagePayload) -> [String] {
    let text = message.shownText
    var lines = text.isEmpty ? [] : [text]
    if text.isEmpty, let content = payload.content { lines.append(content.summary) }
    // What was linked was said in a text that is gone where that was corrected.
    let links = text == message.event.body ? payload.links : []
    let parts = links.flatMap { [$0.url, $0.description] } + (payload.content.map(details) ?? [])
    for case let part? in parts where !part.isEmpty && !lines.contains(where: { $0.contains(part) }) {
      lines.append(part)
    }
    return lines
  }

  private static func details(of content: MessageContent) -> [String?] {
    let isFile = content.kind == .file || content.kind == .sticker
    return [content.address, content.person, content.name, content.url]
      + (isFile ? [content.type, content.size.map { "\($0) bytes" }] : []) + [content.text] + content.items
  }
}
