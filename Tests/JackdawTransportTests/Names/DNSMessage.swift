// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A DNS answer to be sent or read in tests, well-formed or not.
struct DNSMessage {
  struct Record {
    var type: UInt16
    var dataClass: UInt16 = 1
    var data: [UInt8]

    static func service(priority: UInt16, weight: UInt16, port: UInt16, target: [UInt8]) -> Record {
      Record(type: 33, data: DNSMessage.bytes(priority) + DNSMessage.bytes(weight) + DNSMessage.bytes(port) + target)
    }
  }

  static let question = "_xmpp-client._tcp.chat.example"
  /// Where the data of the first record begins.
  static let firstDataOffset = 12 + name(question).count + 4 + 2 + 10

  var code: UInt8 = 0
  var records: [Record]

  var bytes: [UInt8] {
    var bytes: [UInt8] = [0x12, 0x34, 0x81, 0x80 | code, 0, 1]
    bytes += Self.bytes(UInt16(records.count))
    bytes += [0, 0, 0, 0]
    bytes += Self.name(Self.question)
    bytes += [0, 33, 0, 1]
    for record in records {
      bytes += [0xC0, 12]
      bytes += Self.bytes(record.type)
      bytes += Self.bytes(record.dataClass)
      bytes += [0, 0, 0, 60]
      bytes += Self.bytes(UInt16(record.data.count))
      bytes += record.data
    }
    return bytes
  }

  static func name(_ text: String) -> [UInt8] {
    text.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
  }

  static func bytes(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }
}
