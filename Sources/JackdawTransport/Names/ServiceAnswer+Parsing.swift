// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawHosts

extension ServiceAnswer {
  /// Reads a DNS message (RFC 1035 section 4) that answers a question for SRV records. Records of another type or
  /// class, broken ones and those whose target is no host name are passed over; the owner's name is not compared, as a
  /// CNAME may lead elsewhere and a liar would write the right one.
  package init(message: [UInt8]) {
    var reader = MessageReader(bytes: message)
    guard message.count >= 12, message[2] & 0x80 != 0 else {
      self = .failed(.malformed)
      return
    }
    switch message[3] & 0x0F {
    case 0: break
    case 3:
      self = .absent
      return
    default:
      self = .failed(.refused)
      return
    }
    reader.position = 4
    guard let questions = reader.number(), let answers = reader.number() else {
      self = .failed(.malformed)
      return
    }
    reader.position = 12
    for _ in 0..<questions {
      guard reader.skipName(), reader.skip(4) else {
        self = .failed(.malformed)
        return
      }
    }
    var records: [ServiceRecord] = []
    for _ in 0..<min(Int(answers), TransportLimits.serviceRecords) {
      // A message that was cut off ends here: what came before it counts.
      guard reader.skipName(), let type = reader.number(), let dataClass = reader.number(), reader.skip(4),
        let length = reader.number(), reader.position + Int(length) <= message.count
      else { break }
      let end = reader.position + Int(length)
      if type == 33, dataClass == 1, let record = reader.serviceRecord(end: end) { records.append(record) }
      reader.position = end
    }
    self = records.isEmpty ? .absent : .records(records)
  }
}

/// Reads forward through a DNS message; never beyond its end.
private struct MessageReader {
  let bytes: [UInt8]
  var position = 0

  mutating func number() -> UInt16? {
    guard position + 2 <= bytes.count else { return nil }
    defer { position += 2 }
    return UInt16(bytes[position]) << 8 | UInt16(bytes[position + 1])
  }

  mutating func skip(_ count: Int) -> Bool {
    guard position + count <= bytes.count else { return false }
    position += count
    return true
  }

  /// Moves behind a name; a pointer ends it.
  mutating func skipName() -> Bool {
    while position < bytes.count {
      let length = Int(bytes[position])
      switch length {
      case 0: return skip(1)
      case 1..<64: guard skip(1 + length) else { return false }
      case 0xC0...: return skip(2)
      default: return false
      }
    }
    return false
  }

  mutating func serviceRecord(end: Int) -> ServiceRecord? {
    guard let priority = number(), let weight = number(), let port = number(), position < end,
      let target = name(end: end),
      target.isEmpty || HostName.isValid(target)
    else { return nil }
    return ServiceRecord(priority: priority, weight: weight, port: port, target: target)
  }

  /// The name that begins here and, up to its first pointer, ends at `end`. Labels with bytes that no host name has
  /// give nil.
  private func name(end: Int) -> String? {
    var text: [UInt8] = []
    var place = position
    var limit = end
    for jumps in 0...TransportLimits.namePointers {
      while true {
        guard place < limit else { return nil }
        let length = Int(bytes[place])
        if length == 0 { return jumps == 0 && place + 1 != end ? nil : String(decoding: text, as: UTF8.self) }
        if length >= 64 { break }
        guard place + 1 + length <= limit, text.count + length < 255 else { return nil }
        let label = bytes[place + 1...place + length]
        guard label.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ".") }) else { return nil }
        if !text.isEmpty { text.append(UInt8(ascii: ".")) }
        text += label
        place += 1 + length
      }
      guard bytes[place] >= 0xC0, place + 1 < limit, jumps > 0 || place + 2 == end else { return nil }
      place = Int(bytes[place] & 0x3F) << 8 | Int(bytes[place + 1])
      limit = bytes.count
    }
    return nil
  }
}
