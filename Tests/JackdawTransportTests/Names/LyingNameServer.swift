// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import Support

@testable import JackdawTransport

/// A name server that answers what a test makes it answer, or nothing.
@Client final class LyingNameServer {
  let address: SocketAddress
  private(set) var questions = 0
  private let descriptor: Int32
  private var watch: DescriptorWatch?

  /// - Parameter answer: gets the question; nil: silence.
  init(_ answer: @escaping @Client ([UInt8]) -> [UInt8]?) {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    self.descriptor = descriptor
    guard let wanted = SocketAddress(ipv4: "127.0.0.1", port: 0),
      wanted.withSocketAddress({ bind(descriptor, $0, $1) }) == 0
    else { preconditionFailure("no socket for a name server") }
    address = SocketAddress(boundTo: descriptor)
    watch = EventLoop.main.watch(descriptor, .readable) { [weak self] _ in self?.answerOne(answer) }
  }

  isolated deinit {
    watch?.cancel()
    close(descriptor)
  }

  /// Whether so many questions came, and not more. On a busy machine whoever asks may give up before they are read here.
  func received(_ count: Int) async throws -> Bool {
    let end = ContinuousClock.now + TestProcess.patience
    while questions < count, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(10)) }
    return questions == count
  }

  private func answerOne(_ answer: @Client ([UInt8]) -> [UInt8]?) {
    var question = [UInt8](repeating: 0, count: 2048)
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { sender in
        let count = recvfrom(descriptor, &question, question.count, 0, sender, &length)
        guard count >= 12 else { return }
        questions += 1
        guard let bytes = answer(Array(question.prefix(count))) else { return }
        _ = sendto(descriptor, bytes, bytes.count, 0, sender, length)
      }
    }
  }

  /// An answer with the question's own id and question, and these records.
  static func reply(to question: [UInt8], flags: (UInt8, UInt8) = (0x81, 0x80), records: [DNSMessage.Record]) -> [UInt8]
  {
    // The question ends after its name, type and class.
    var end = 12
    while end < question.count, question[end] != 0 { end += 1 + Int(question[end]) }
    end += 5
    var bytes = Array(question[..<2]) + [flags.0, flags.1, 0, 1]
    bytes += DNSMessage.bytes(UInt16(records.count))
    bytes += [0, 0, 0, 0]
    bytes += question[12..<min(end, question.count)]
    for record in records {
      bytes += [0xC0, 12]
      bytes += DNSMessage.bytes(record.type)
      bytes += DNSMessage.bytes(record.dataClass)
      bytes += [0, 0, 0, 60]
      bytes += DNSMessage.bytes(UInt16(record.data.count))
      bytes += record.data
    }
    return bytes
  }
}
