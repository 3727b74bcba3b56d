// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawSession

/// A message of the log that another process presents through this one: its reader has been presented it when so much of stdout is out.
package struct PresentedMessage: Sendable, Equatable {
  /// The bytes of stdout since the beginning, with its lines.
  package let bytes: Int
  /// Whose log it is, a bare address.
  package let account: String
  /// The reader's name in it.
  package let reader: String
  /// Its number there.
  package let number: Int64

  /// Made where it is presented.
  package init(bytes: Int, account: String, reader: String, number: Int64) {
    self.bytes = bytes
    self.account = account
    self.reader = reader
    self.number = number
  }

  /// As the other process says it; nil: it does not.
  init?(_ parameters: JSONValue) {
    guard let bytes = parameters["bytes"].integer, let account = parameters["account"].text,
      let reader = parameters["reader"].text, let number = parameters["number"].integer, number > 0
    else { return nil }
    self.init(bytes: bytes, account: account, reader: reader, number: Int64(number))
  }

  func added(to object: JSONObjectText) -> JSONObjectText {
    var object = object
    object.add("bytes", bytes)
    object.add("account", account)
    object.add("reader", reader)
    object.add("number", Int(number))
    return object
  }
}
