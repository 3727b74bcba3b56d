// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawTransport

/// Configuration as it is written into a file.
enum TOMLText {
  /// An account's table, its last line ended.
  static func table(of account: Configuration.Account) -> String {
    var lines = ["[accounts.\(key(account.name))]", "jid = \(quoted(account.jid.description))"]
    if let server = account.server { lines.append("server = \(quoted(server))") }
    if let tls = account.tls { lines.append("tls = \(quoted(tls.rawValue))") }
    if !account.bindsChannel { lines.append("channel_binding = \"off\"") }
    if let caFile = account.caFile { lines.append("ca_file = \(quoted(caFile))") }
    switch account.password {
    case .inline(let password): lines.append(self.password(password))
    case .file(let path): lines.append("password_file = \(quoted(path))")
    case .command(let words): lines.append("password_command = [\(words.map(quoted).joined(separator: ", "))]")
    case .environment, nil: break
    }
    if let password = account.newPassword { lines.append(newPassword(password)) }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The line that names the default account, without its end.
  static func defaultAccount(_ name: String) -> String { "default_account = \(quoted(name))" }

  /// The line that holds a password, without its end.
  static func password(_ password: String) -> String { "password = \(quoted(password))" }

  /// The line that holds what a password may have become, without its end.
  static func newPassword(_ password: String) -> String { "new_password = \(quoted(password))" }

  private static func key(_ name: String) -> String {
    let isBare = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return isBare && !name.isEmpty ? name : quoted(name)
  }

  /// A TOML basic string.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let hex = String(scalar.value, radix: 16, uppercase: true)
        result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
