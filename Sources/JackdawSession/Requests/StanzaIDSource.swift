// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop

/// Makes ids for stanzas that nobody can guess (RFC 6120 8.1.3: an id must not help to forge an answer).
@Client package struct StanzaIDSource {
  /// Letters that need no escaping anywhere; 64 of them, so that each carries six bits.
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  private let random: @Client () -> UInt64

  /// - Parameter random: 64 random bits a call, from the system's generator unless a test wants to know them.
  package init(random: @escaping @Client () -> UInt64 = { UInt64.random(in: .min ... .max) }) {
    self.random = random
  }

  /// A fresh id: a letter of five random bits and 14 characters of six, 89 bits. It begins with a letter, so that it can be
  /// typed as a command's argument and is never taken for an option. Fifteen bytes are what Swift keeps in a string without
  /// allocating.
  package func next() -> String {
    var high = random()
    var low = random()
    return String(unsafeUninitializedCapacity: 15) { buffer in
      for index in 0..<8 {
        buffer[index] = Self.alphabet[Int(high & (index == 0 ? 31 : 63))]
        high >>= 6
      }
      for index in 8..<15 {
        buffer[index] = Self.alphabet[Int(low & 63)]
        low >>= 6
      }
      return 15
    }
  }
}
