// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
package import JackdawLoop
package import JackdawProtocol

/// Makes ids for stanzas that nobody can guess (RFC 6120 8.1.3: an id must not help to forge an answer).
@Client package struct StanzaIDSource {
  /// Letters that need no escaping anywhere; 64 of them, so that each carries six bits.
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  /// The same in the order in which texts are sorted.
  private static let sorted = alphabet.sorted()
  /// Those of them that are letters.
  private static let sortedLetters = sorted.filter { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }

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

  /// A fresh id of a message: it begins with the time, as those of RFC 9562 5.7 do, so that an index has what is written one after the
  /// other side by side. A letter and six characters say the millisecond, and thirteen carry six random bits each, 78.
  /// - Parameter time: when the message was written. Whoever gets the id learns it.
  package func next(at time: Timestamp) -> String {
    let milliseconds = UInt64(bitPattern: time.milliseconds)
    var high = random()
    var low = random()
    return String(unsafeUninitializedCapacity: 20) { buffer in
      // Two years each: they last until 2083, and are used again from then on.
      buffer[0] = Self.sortedLetters[Int(milliseconds >> 36) % Self.sortedLetters.count]
      for index in 1..<7 { buffer[index] = Self.sorted[Int(milliseconds >> UInt64(36 - 6 * index) & 63)] }
      for index in 7..<14 {
        buffer[index] = Self.alphabet[Int(high & 63)]
        high >>= 6
      }
      for index in 14..<20 {
        buffer[index] = Self.alphabet[Int(low & 63)]
        low >>= 6
      }
      return 20
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
