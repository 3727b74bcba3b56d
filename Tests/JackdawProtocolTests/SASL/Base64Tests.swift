// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawProtocol

@Suite("Base 64")
struct Base64Tests {
  @Test(
    "RFC 4648 10, both ways",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
      ("foobar", "Zm9vYmFy"),
    ])
  func vectors(plain: String, digits: String) {
    #expect(Base64.encode(plain.utf8) == Array(digits.utf8))
    #expect(Base64.decode(digits.utf8) == Array(plain.utf8))
  }

  @Test("Every byte, at each length")
  func roundTrip() {
    for length in 0...258 {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ length) }
      #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    }
    #expect(Base64.encode([0xFB, 0xEF, 0xFF]) == Array("++//".utf8))
  }

  @Test(
    "Only what would have been written is read",
    arguments: [
      "Z", "Zg", "Zg=", "Z===", "====", "=", "Zg==Zg==", "Zg=a", "Zh==", "Zm9=", "Zm9v\n", " Zm9v", "Zm 9v", "Zm-_",
      "Zmä=",
      "Zm9v====",
    ])
  func refused(digits: String) {
    #expect(Base64.decode(digits.utf8) == nil)
  }
}
