// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawProtocol

@Suite("SCRAM: what servers may say")
struct SCRAMServerMessageTests {
  @Test(
    "A first message that is as it should be is taken",
    arguments: [
      "r=abcX,s=QQ==,i=4096", "r=abcX,s=QQ==,i=1000000", "r=abcX,s=QQ==,i=4096,h=QQ==", "r=abcX,s=QQ==,i=4096,x=a=b",
      "r=abc!\"#$%&'()*+-./:;<=>?@[]^_`{|}~,s=QQ==,i=5000,Z=ä",
    ])
  func good(message: String) throws {
    let first = try SCRAMServerFirst(Array(message.utf8), clientNonce: Array("abc".utf8))
    #expect(first.salt == [65])
    #expect(first.message == Array(message.utf8))
  }

  static let bad: [(String, String)] = [
    ("nonce: without the client's", "r=xyz123,s=QQ==,i=4096"),
    ("nonce: equal to the client's", "r=abc,s=QQ==,i=4096"),
    ("nonce: empty", "r=,s=QQ==,i=4096"),
    ("nonce: shorter than the client's", "r=ab,s=QQ==,i=4096"),
    ("nonce: the client's at the end", "r=Xabc,s=QQ==,i=4096"),
    ("nonce: with a space", "r=abc d,s=QQ==,i=4096"),
    ("nonce: not ASCII", "r=abcä,s=QQ==,i=4096"),
    ("iteration count: 1", "r=abcX,s=QQ==,i=1"),
    ("iteration count: 0", "r=abcX,s=QQ==,i=0"),
    ("iteration count: negative", "r=abcX,s=QQ==,i=-1"),
    ("iteration count: a word", "r=abcX,s=QQ==,i=abc"),
    ("iteration count: 4095", "r=abcX,s=QQ==,i=4095"),
    ("iteration count: 2^32 + 4096", "r=abcX,s=QQ==,i=4294971392"),
    ("iteration count: 2^64 + 4096", "r=abcX,s=QQ==,i=18446744073709555712"),
    ("iteration count: 10^9", "r=abcX,s=QQ==,i=1000000000"),
    ("iteration count: 10^6 + 1", "r=abcX,s=QQ==,i=1000001"),
    ("iteration count: leading zero", "r=abcX,s=QQ==,i=04096"),
    ("iteration count: plus sign", "r=abcX,s=QQ==,i=+4096"),
    ("iteration count: Arabic digits", "r=abcX,s=QQ==,i=٤٠٩٦"),
    ("iteration count: hexadecimal", "r=abcX,s=QQ==,i=0x1000"),
    ("syntax: mandatory extension", "m=ext,r=abcX,s=QQ==,i=4096"),
    ("syntax: mandatory extension at the end", "r=abcX,s=QQ==,i=4096,m=ext"),
    ("syntax: no salt", "r=abcX,i=4096"),
    ("syntax: no count", "r=abcX,s=QQ=="),
    ("syntax: no nonce", "s=QQ==,i=4096"),
    ("syntax: another order", "s=QQ==,r=abcX,i=4096"),
    ("syntax: salt twice", "r=abcX,s=QQ==,i=4096,s=Qg=="),
    ("syntax: salt not base 64", "r=abcX,s=Q!==,i=4096"),
    ("syntax: salt without padding", "r=abcX,s=QQ,i=4096"),
    ("syntax: salt empty", "r=abcX,s=,i=4096"),
    ("syntax: empty", ""),
    ("syntax: one comma", ","),
    ("syntax: comma at the end", "r=abcX,s=QQ==,i=4096,"),
    ("syntax: an attribute without a value", "r=abcX,s=QQ==,i=4096,x="),
    ("syntax: an attribute of two letters", "r=abcX,s=QQ==,i=4096,xx=1"),
    ("syntax: an attribute that is no letter", "r=abcX,s=QQ==,i=4096,1=1"),
    ("syntax: an error in the first message", "e=other-error"),
    ("syntax: downgrade hash not base 64", "r=abcX,s=QQ==,i=4096,h=???"),
  ]

  @Test("A first message that is not is refused", arguments: bad)
  func refused(name: String, message: String) {
    #expect(throws: StreamFailure.self, "\(name)") {
      try SCRAMServerFirst(Array(message.utf8), clientNonce: Array("abc".utf8))
    }
  }

  @Test(
    "A count that fits nowhere is not told as the highest that does",
    arguments: [("1000001", "1000001 SCRAM"), ("4294971392", "2147483647 or more SCRAM")])
  func largeCounts(count: String, words: String) throws {
    let failure = #expect(throws: StreamFailure.self) {
      try SCRAMServerFirst(Array("r=abcX,s=QQ==,i=\(count)".utf8), clientNonce: Array("abc".utf8))
    }
    #expect(failure?.sentence.hasPrefix("The server asks for \(words) iterations") == true)
  }

  @Test("Bytes that are not UTF-8, and NUL, are refused", arguments: [0xFF, 0xC0, 0x80, 0x00] as [UInt8])
  func notText(byte: UInt8) {
    let message = Array("r=abcX,s=QQ==,i=4096,x=".utf8) + [byte]
    #expect(throws: StreamFailure.self) { try SCRAMServerFirst(message, clientNonce: Array("abc".utf8)) }
  }

  @Test("Final messages: a signature, an error, or refused")
  func finals() throws {
    guard case .signature([65, 66]) = try SCRAMServerFinal(Array("v=QUI=".utf8)) else {
      Issue.record("no signature")
      return
    }
    guard case .error("invalid-proof") = try SCRAMServerFinal(Array("e=invalid-proof".utf8)) else {
      Issue.record("no error")
      return
    }
    for bad in ["", "v=", "v=Q", "v=Q!==", "x=QQ==", "QQ==", "e=", "m=1,v=QQ==", "v=QQ==,v=QQ=="] {
      #expect(throws: StreamFailure.self) { try SCRAMServerFinal(Array(bad.utf8)) }
    }
  }

  @Test(
    "Errors in the final message are told for what they are",
    arguments: [
      ("invalid-proof", StreamFailure.Code.authentication), ("unknown-user", .authentication),
      ("other-error", .authentication), ("never-heard-of", .authentication),
      ("no-resources", .temporaryAuthentication), ("channel-bindings-dont-match", .protocolViolation),
      ("server-does-support-channel-binding", .protocolViolation),
    ])
  func errors(error: String, code: StreamFailure.Code) {
    let failure = SASLFailures.scramError(error)
    #expect(failure.code == code)
    #expect(failure.peerText == error)
  }
}
