// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The one message of PLAIN (RFC 4616 2): NUL, user name, NUL, password.
enum PlainMessage {
  /// Both prepared; preparation has refused NUL.
  static func text(username: String, password: SecretBytes) -> [UInt8] {
    let nul: [UInt8] = [0]
    return nul + username.utf8 + nul + password.withUnsafeBytes { Array($0) }
  }
}
