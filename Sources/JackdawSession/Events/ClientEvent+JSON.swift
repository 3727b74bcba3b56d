// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

extension ClientEvent {
  /// The event as a line of Docs/JSON.md, with its line feed.
  /// - Parameters:
  ///   - time: when it happened.
  ///   - account: whose it is; nil is written as `null`.
  /// - Throws: `EncodingError` when the type encodes itself as something that is no object: our bug.
  package func jsonLine(at time: Timestamp, account: String?) throws -> [UInt8] {
    try JSONLineEncoder.line(of: self, after: ["event": name, "time": time.description, "account": account])
  }
}
