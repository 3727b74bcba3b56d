// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// How an account's server knows this program on this machine from others of the account (XEP-0388 2.5). As secret as a password.
package struct Installation: Sendable, Equatable {
  /// A random UUID.
  package var agent: String
  /// For its next log-in.
  package var token: LoginToken?

  package init(agent: String, token: LoginToken? = nil) {
    self.agent = agent
    self.token = token
  }

  /// One that nobody knows: a random UUID (RFC 9562 5.4).
  package static func fresh() -> Installation {
    var bytes = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
    bytes.0 = bytes.0 & ~0xF000 | 0x4000
    bytes.1 = bytes.1 & ~(0b11 << 62) | 0b10 << 62
    let digits = hexadecimal(bytes.0) + hexadecimal(bytes.1)
    var text = ""
    for (place, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(place) { text += "-" }
      text.append(digit)
    }
    return Installation(agent: text)
  }

  private static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
