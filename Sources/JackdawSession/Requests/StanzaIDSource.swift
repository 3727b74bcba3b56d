// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
package import JackdawLoop

/// Makes ids for stanzas that nobody can guess (RFC 6120 8.1.3: an id must not help to forge an answer).
@Client package struct StanzaIDSource {
  /// Letters that need no escaping anywhere; 64 of them, so that each carries six bits.
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  private let random: @Client () -> UInt64

  /// With bits of the system's generator.
  package init() {
    let bits = RandomBits()
    random = bits.next
  }

  /// - Parameter random: 64 random bits a call.
  package init(random: @escaping @Client () -> UInt64) { self.random = random }

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

/// Bits of the system's generator, fetched for sixteen ids at a time: to ask it takes longer than all the rest of an id.
@Client private final class RandomBits {
  /// Bounded by ``amount``.
  private var bits: [UInt64] = []

  /// As many as one question may be about.
  private static let amount = 256 / MemoryLayout<UInt64>.size

  func next() -> UInt64 {
    if let next = bits.popLast() { return next }
    bits = [UInt64](unsafeUninitializedCapacity: Self.amount) { buffer, count in
      let size = Self.amount * MemoryLayout<UInt64>.size
      count = buffer.baseAddress.map { getentropy($0, size) } == 0 ? Self.amount : 0
    }
    return bits.popLast() ?? UInt64.random(in: .min ... .max)
  }
}
