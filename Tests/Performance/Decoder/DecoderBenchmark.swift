// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import DecoderPeer
import Glibc
import JackdawXML

/// Compares the decoder with libxml2 alone, in one process and in turns, by the time the processor took.
///
/// Prints `decoder_vs_libxml2 RATIO` last: 0.6 says that the decoder is 0.6 times as fast as libxml2 with callbacks
/// that do nothing. The decoder's elements are used as a client does: each stanza's children counted, its body read.
@main
enum DecoderBenchmark {
  private static let stanzas = 250_000
  private static let pieceSize = 16_384
  private static let rounds = 5

  static func main() throws {
    let corpus = StreamCorpus.make(stanzas: stanzas)
    print("\(corpus.count) bytes, \(stanzas) stanzas, pieces of \(pieceSize) bytes, best of \(rounds) rounds")
    var peer = Double.infinity
    var decoder = Double.infinity
    for _ in 0..<rounds {
      peer = min(peer, seconds { runPeer(corpus) })
      decoder = min(decoder, try seconds { try runDecoder(corpus) })
    }
    report("libxml2, empty callbacks", peer, corpus.count)
    report("decoder, elements used", decoder, corpus.count)
    print("decoder_vs_libxml2 \(rounded(peer / decoder))")
  }

  private static func runPeer(_ corpus: [UInt8]) {
    let tags = corpus.withUnsafeBytes {
      decoder_peer_parse($0.assumingMemoryBound(to: CChar.self).baseAddress, $0.count, pieceSize)
    }
    precondition(tags > stanzas, "libxml2 did not read the corpus")
  }

  private static func runDecoder(_ corpus: [UInt8]) throws {
    let decoder = StanzaDecoder()
    var (seen, children, bodyBytes) = (0, 0, 0)
    try corpus.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: bytes.count, by: pieceSize) {
        let piece = UnsafeRawBufferPointer(rebasing: bytes[start..<min(bytes.count, start + pieceSize)])
        try decoder.feed(piece) { event in
          guard case .element(let stanza) = event else { return .more }
          seen += 1
          for _ in stanza.children { children += 1 }
          if let body = stanza.text(of: "body", Namespace.client) { bodyBytes += body.utf8.count }
          return .more
        }
      }
    }
    precondition(seen == stanzas && children > seen && bodyBytes > 0, "the decoder did not read the corpus")
  }

  private static func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = processorTime()
    try body()
    return processorTime() - start
  }

  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func report(_ name: String, _ seconds: Double, _ bytes: Int) {
    print("\(name): \(Int(Double(bytes) / seconds / 1e6)) MB/s, \(Int(seconds / Double(stanzas) * 1e9)) ns a stanza")
  }

  private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
