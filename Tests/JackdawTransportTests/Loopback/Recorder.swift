// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import Testing

@testable import JackdawTransport

/// Writes down what a transport tells its delegate.
@Client final class Recorder: TransportDelegate {
  private(set) var received: [UInt8] = []
  private(set) var pieces: [Int] = []
  private(set) var security: TransportSecurity?
  private(set) var ends: [TransportError?] = []
  var onReceived: (@Client () -> Void)?
  var onSecured: (@Client () -> Void)?
  private let progress: Progress
  private var isCalling = false

  init(_ progress: Progress) { self.progress = progress }

  var text: String { String(decoding: received, as: UTF8.self) }

  /// Ended once, without an error.
  var endedWell: Bool { ends.count == 1 && ends[0] == nil }

  /// Makes a call to the transport, during which the delegate must not hear anything.
  func during<Result>(_ call: () -> Result) -> Result {
    isCalling = true
    defer { isCalling = false }
    return call()
  }

  func transportReceived(_ bytes: UnsafeRawBufferPointer) {
    heard()
    received += bytes
    pieces.append(bytes.count)
    onReceived?()
  }

  private(set) var roomCount = 0

  func transportMadeRoom() {
    heard()
    roomCount += 1
  }

  func transportSecured(_ security: TransportSecurity) {
    heard()
    #expect(self.security == nil, "secured twice")
    self.security = security
    onSecured?()
  }

  func transportEnded(_ error: TransportError?) {
    heard()
    ends.append(error)
  }

  private func heard() {
    #expect(!isCalling, "the delegate was called from within a call to the transport")
    #expect(ends.isEmpty, "something was told after the end")
    progress.happened()
  }
}
