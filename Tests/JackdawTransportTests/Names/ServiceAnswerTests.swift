// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawHosts
import JackdawTransport
import Testing

@Suite struct ServiceAnswerTests {
  private let good = DNSMessage(records: [
    .service(priority: 5, weight: 10, port: 5222, target: DNSMessage.name("xmpp.example")),
    .service(priority: 7, weight: 0, port: 443, target: DNSMessage.name("b.example")),
  ])
  private let both: ServiceAnswer = .records([
    ServiceRecord(priority: 5, weight: 10, port: 5222, target: "xmpp.example"),
    ServiceRecord(priority: 7, weight: 0, port: 443, target: "b.example"),
  ])

  @Test("SRV records are read") func readsRecords() {
    #expect(ServiceAnswer(message: good.bytes) == both)
  }

  @Test("A compressed target is read") func readsACompressedTarget() {
    // "xmpp" and then a pointer to the name of the question, at 12.
    let message = DNSMessage(records: [
      .service(priority: 1, weight: 2, port: 3, target: [4] + Array("xmpp".utf8) + [0xC0, 12])
    ])
    #expect(
      ServiceAnswer(message: message.bytes)
        == .records([ServiceRecord(priority: 1, weight: 2, port: 3, target: "xmpp." + DNSMessage.question)]))
  }

  @Test("The root as a target is read") func readsTheRootTarget() {
    let message = DNSMessage(records: [.service(priority: 0, weight: 0, port: 0, target: [0])])
    #expect(
      ServiceAnswer(message: message.bytes) == .records([ServiceRecord(priority: 0, weight: 0, port: 0, target: "")]))
  }

  /// CNAME (RFC 1034 3.6.2) and other records beside those asked for.
  @Test("Records of other types are skipped") func passesOverOtherTypes() {
    var message = good
    message.records.insert(.init(type: 5, data: DNSMessage.name("elsewhere.example")), at: 0)
    message.records.insert(.init(type: 1, data: [127, 0, 0, 1]), at: 1)
    message.records.insert(.init(type: 33, dataClass: 3, data: [0, 0, 0, 0, 20, 20, 0]), at: 1)
    #expect(ServiceAnswer(message: message.bytes) == both)
    message.records.removeLast(2)
    #expect(ServiceAnswer(message: message.bytes) == .absent)
  }

  /// What a lying server may put into the data of a record.
  @Test(
    "A malformed record is skipped",
    arguments: [
      [], [0], [0, 1, 0, 2, 0x14], [0, 1, 0, 2, 0x14, 0x66],
      [0, 1, 0, 2, 0x14, 0x66, 5, 97, 98],
      // Longer than the name; no end; a reserved label type.
      [0, 1, 0, 2, 0x14, 0x66, 1, 97, 0, 0],
      [0, 1, 0, 2, 0x14, 0x66, 1, 97],
      [0, 1, 0, 2, 0x14, 0x66, 0x41, 97, 0],
      [0, 1, 0, 2, 0x14, 0x66, 0x80],
      // Pointers: cut off, beyond the end, to itself (the data begins at 12 + the question + 12).
      [0, 1, 0, 2, 0x14, 0x66, 0xC0],
      [0, 1, 0, 2, 0x14, 0x66, 0xFF, 0xFF],
      [0, 1, 0, 2, 0x14, 0x66, 0xC0, UInt8(DNSMessage.firstDataOffset + 6)],
      [0, 1, 0, 2, 0x14, 0x66, 1, 97, 0xC0, UInt8(DNSMessage.firstDataOffset + 6)],
      // A target that is no host name: blank, line break, NUL, a dot in a label, 8 bit, a leading hyphen, a number.
      [0, 1, 0, 2, 0x14, 0x66, 3, 97, 32, 98, 0],
      [0, 1, 0, 2, 0x14, 0x66, 3, 97, 10, 98, 0],
      [0, 1, 0, 2, 0x14, 0x66, 3, 97, 0, 98, 0],
      [0, 1, 0, 2, 0x14, 0x66, 3, 97, 46, 98, 0],
      [0, 1, 0, 2, 0x14, 0x66, 2, 0xC3, 0xA9, 0],
      [0, 1, 0, 2, 0x14, 0x66, 3, 45, 111, 80, 0],
      [0, 1, 0, 2, 0x14, 0x66, 1, 49, 0],
    ] as [[UInt8]])
  func aBrokenRecordIsPassedOver(data: [UInt8]) {
    var message = good
    message.records.insert(.init(type: 33, data: data), at: 0)
    #expect(ServiceAnswer(message: message.bytes) == both)
  }

  /// Compression loops (RFC 1035 4.1.4).
  @Test("Pointers that go in a circle end the reading") func pointersThatGoInACircleEnd() {
    // Two labels that point at each other, inside the data of a record of another type.
    let first = DNSMessage.firstDataOffset
    let circle: [UInt8] = [1, 97, 0xC0, UInt8(first + 4), 1, 98, 0xC0, UInt8(first)]
    var message = DNSMessage(records: [.init(type: 99, data: circle)])
    message.records.append(.init(type: 33, data: [0, 1, 0, 2, 0x14, 0x66, 0xC0, UInt8(first)]))
    #expect(ServiceAnswer(message: message.bytes) == .absent)
  }

  @Test(
    "The response code is obeyed",
    arguments: [
      (UInt8(0), ServiceAnswer.absent), (1, .failed(.refused)), (2, .failed(.refused)), (3, .absent),
      (4, .failed(.refused)),
      (5, .failed(.refused)),
    ])
  func obeysTheResponseCode(code: UInt8, expected: ServiceAnswer) {
    #expect(ServiceAnswer(message: DNSMessage(code: code, records: []).bytes) == expected)
  }

  @Test("A message that is not an answer is malformed") func whatIsNoAnswerIsMalformed() {
    #expect(ServiceAnswer(message: []) == .failed(.malformed))
    #expect(ServiceAnswer(message: [UInt8](repeating: 0, count: 40)) == .failed(.malformed))
    #expect(ServiceAnswer(message: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)) == .failed(.malformed))
  }

  /// Every cut of a good answer, and every byte of it replaced, gives some answer and never a crash.
  @Test("No damage to an answer crashes the reader") func noDamageCrashes() {
    let bytes = good.bytes
    for end in 0...bytes.count { _ = ServiceAnswer(message: Array(bytes[..<end])) }
    for index in bytes.indices {
      for value in [0, 1, 0x3F, 0x40, 0x7F, 0x80, 0xC0, 0xFF] as [UInt8] {
        var damaged = bytes
        damaged[index] = value
        if case .records(let records) = ServiceAnswer(message: damaged) {
          for record in records { #expect(record.target.isEmpty || HostName.isValid(record.target)) }
        }
      }
    }
  }

  @Test("A count of records that is too large reads no further than the message") func aCountThatLiesIsBounded() {
    var bytes = good.bytes
    (bytes[6], bytes[7]) = (0xFF, 0xFF)
    #expect(ServiceAnswer(message: bytes) == both)
    (bytes[4], bytes[5]) = (0xFF, 0xFF)
    #expect(ServiceAnswer(message: bytes) == .failed(.malformed))
  }

  @Test("No more records are read than are used") func noMoreRecordsAreReadThanUsed() {
    let many = DNSMessage(
      records: (0..<1000).map { .service(priority: UInt16($0), weight: 0, port: 1, target: DNSMessage.name("h\($0)")) })
    guard case .records(let records) = ServiceAnswer(message: many.bytes) else {
      Issue.record("no records")
      return
    }
    #expect(records.count == TransportLimits.serviceRecords)
  }
}
