// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

extension Element {
  /// Reads one element as it would stand in a client's stream: the namespace is `jabber:client` unless `xmlns` says
  /// otherwise, and the prefix `stream` is known. White space around it is ignored.
  /// - Throws: ``DecodeError`` when it is not exactly one element of allowed XML.
  package init(parsing text: String, limits: DecoderLimits = .standard) throws(DecodeError) {
    let reader = ElementReader(limits: limits)
    let elements = try reader.feed(text)
    guard let element = elements.first, elements.count == 1, !reader.isWithinElement else {
      throw .notWellFormed("it is not exactly one element")
    }
    self = element
  }
}
