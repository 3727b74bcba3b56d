// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawTransport

/// Configuration as it is written into a file.
enum TOMLText {
  /// An account's table, its last line ended.
  static func table(of account: Configuration.Account) -> String {
    let lines = entries(of: account).compactMap(\.self).map { "\($0.key) = \($0.value)" }
    return (["[accounts.\(key(account.name))]"] + lines).map { $0 + "\n" }.joined()
  }

  /// One key of a table.
  struct Entry: Equatable {
    var key: String
    /// As it is written.
    var value: String
  }

  /// What an account's table says, a place for each thing that there is to say of an account, always in this order; nil: nothing.
  /// The three ways to a password have one place.
  static func entries(of account: Configuration.Account) -> [Entry?] {
    let password: Entry? =
      switch account.password {
      case .inline(let password): Entry(key: "password", value: quoted(password))
      case .file(let path): Entry(key: "password_file", value: quoted(path))
      case .command(let words):
        Entry(key: "password_command", value: "[\(words.map(quoted).joined(separator: ", "))]")
      case .environment, nil: nil
      }
    return [
      Entry(key: "jid", value: quoted(account.jid.description)),
      account.server.map { Entry(key: "server", value: quoted($0)) },
      account.tls.map { Entry(key: "tls", value: quoted($0.rawValue)) },
      account.bindsChannel ? nil : Entry(key: "channel_binding", value: quoted("off")),
      account.caFile.map { Entry(key: "ca_file", value: quoted($0)) },
      password,
      account.newPassword.map { Entry(key: "new_password", value: quoted($0)) },
      account.store.map { Entry(key: "store", value: quoted($0.rawValue)) },
    ]
  }

  /// The line that names the default accounts, of which there is one at least, without its end.
  static func defaultAccounts(_ names: [String]) -> String {
    guard let only = names.first, names.count == 1 else {
      return "default_account = [\(names.map(quoted).joined(separator: ", "))]"
    }
    return "default_account = \(quoted(only))"
  }

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
