// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import DecoderPeer
import Glibc
import JackdawXML

/// Compares the decoder with libxml2 alone, in one process and in turns, by the time the processor took.
///
/// Prints `decoder_vs_libxml2 RATIO` last: 0.6 says that the decoder is 0.6 times as fast as libxml2 with callbacks
/// that do nothing. The decoder's elements are used as a client does: each stanza's children counted, its body read.
/// It is the median of the ratios of all rounds: what else runs on the machine slows both of a round, while the best
/// times of each may be from moments of different luck.
@main
enum DecoderBenchmark {
  private static let stanzas = 250_000
  private static let pieceSize = 16_384
  private static let rounds = 15

  static func main() throws {
    let corpus = StreamCorpus.make(stanzas: stanzas)
    print("\(corpus.count) bytes, \(stanzas) stanzas, pieces of \(pieceSize) bytes, median of \(rounds) rounds")
    var times: [(peer: Double, decoder: Double)] = []
    for _ in 0..<rounds {
      times.append((seconds { runPeer(corpus) }, try seconds { try runDecoder(corpus) }))
    }
    report("libxml2, empty callbacks", median(times.map(\.peer)), corpus.count)
    report("decoder, elements used", median(times.map(\.decoder)), corpus.count)
    print("decoder_vs_libxml2 \(rounded(median(times.map { $0.peer / $0.decoder })))")
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

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
