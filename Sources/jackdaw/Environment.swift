// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

// preconcurrency: `environ` is a C global. The loop's thread reads it before there is another.
@preconcurrency import Glibc
import JackdawLoop

/// The process's environment, read once.
struct Environment {
  let variables: EnvironmentVariables

  /// Takes the password out of the environment on the way: neither the programs that are run get it, nor does it stay in
  /// `/proc`.
  init() {
    var variables = EnvironmentVariables()
    var entry = environ
    while let line = entry.pointee {
      let text = String(cString: line)
      if let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) {
        variables.append(String(text[..<equals]), String(text[text.utf8.index(after: equals)...]))
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
  var shared: EnvironmentVariables { variables.without(Self.password) }

  private static let password = "JACKDAW_PASSWORD"
}
