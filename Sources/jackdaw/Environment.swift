// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

// preconcurrency: `environ` is a C global. The loop's thread reads it before there is another.
@preconcurrency import Glibc

/// The process's environment, read once.
struct Environment {
  let variables: [String: String]

  /// Takes the password out of the environment on the way: neither the programs that are run get it, nor does it stay in
  /// `/proc`.
  init() {
    var variables: [String: String] = [:]
    var entry = environ
    while let line = entry.pointee {
      let text = String(cString: line)
      if let equals = text.firstIndex(of: "=") {
        variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      entry += 1
    }
    if let password = getenv(Self.password) {
      memset(password, 0, strlen(password))
      unsetenv(Self.password)
    }
    self.variables = variables
  }

  /// What other processes of the user's may be told: all but the password.
  var shared: [String: String] { variables.filter { $0.key != Self.password } }

  private static let password = "JACKDAW_PASSWORD"
}
