// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

extension TestProcess {
  /// What to run, and how.
  package struct Invocation: Sendable {
    /// What the program finds on its standard input.
    package enum Input: Sendable {
      /// `/dev/null`; in a terminal nothing is typed.
      case none
      /// These bytes, then the end.
      case bytes([UInt8])
      /// A pipe, or a terminal, for ``TestProcess/send(_:)-(String)``.
      case open
      /// No descriptor 0 at all, as after `<&-` in a shell.
      case descriptorClosed

      /// This text, then the end.
      package static func text(_ text: String) -> Input { .bytes(Array(text.utf8)) }
    }

    /// Where its standard output leads.
    package enum Output: Sendable {
      case captured
      /// A pipe whose reader is gone: writing fails with EPIPE.
      case broken
      /// A file that is opened for writing, as `/dev/full`.
      case file(String)
      /// No descriptor 1 at all, as after `>&-` in a shell.
      case descriptorClosed
    }

    package struct Size: Sendable {
      package var columns: Int
      package var rows: Int
      /// What the terminal does to its lines when it is resized, and whether it says where its cursor is.
      package var kind: Kind
      /// See ``Screen/joinsEmoji``.
      package var joinsEmoji = false

      package enum Kind: Sendable, CaseIterable {
        /// Wraps them anew: VTE, kitty, foot, tmux.
        case reflowing
        /// Cuts them: xterm.
        case cutting
        /// Wraps them anew, and answers no question.
        case silentReflowing
        /// Cuts them, and answers no question.
        case silent
      }

      package init(columns: Int = 80, rows: Int = 24, kind: Kind = .silent, joinsEmoji: Bool = false) {
        self.columns = columns
        self.rows = rows
        self.kind = kind
        self.joinsEmoji = joinsEmoji
      }
    }

    /// A path, or a name to be found in PATH.
    package var program: String
    package var arguments: [String]
    /// The whole environment, over ``scrubbed``.
    package var environment: [String: String]
    /// Where it runs; nil: where the tests do.
    package var directory: String?
    package var input: Input
    package var output: Output
    /// The size of a pseudo-terminal that is its controlling terminal and all three streams; nil: no terminal.
    package var terminal: Size?

    /// What a program is started with. In a terminal, `input` is open.
    package init(
      _ program: String, _ arguments: [String] = [], environment: [String: String] = [:], directory: String? = nil,
      input: Input = .none, output: Output = .captured, terminal: Size? = nil
    ) {
      self.program = program
      self.arguments = arguments
      self.environment = environment
      self.directory = directory
      self.input = input
      self.output = output
      self.terminal = terminal
    }

    private static var sanitizers: [String: String] {
      ["ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"].reduce(into: [:]) { options, name in
        options[name] = getenv(name).map { String(cString: $0) }
      }
    }

    /// What every program gets: nothing of the machine's user, English, UTC; and what a sanitizer is told that it is built with.
    package static let scrubbed = [
      "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/nonexistent",
      "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TZ": "UTC", "TERM": "xterm-256color",
    ].merging(sanitizers) { $1 }
  }

  /// How a program ended.
  package enum Ending: Sendable, Equatable {
    case exited(Int)
    case signalled(Int)
  }

  /// What a program that has ended left.
  package struct Outcome: Sendable {
    package let ending: Ending
    /// As it was written.
    package let standardOutput: [UInt8]
    /// As it was written.
    package let standardError: [UInt8]

    /// Standard output as text; broken UTF-8 becomes U+FFFD.
    package var output: String { String(decoding: standardOutput, as: UTF8.self) }
    /// Standard error as text; broken UTF-8 becomes U+FFFD.
    package var errors: String { String(decoding: standardError, as: UTF8.self) }
    /// The lines of standard output.
    package var lines: [String] {
      output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
  }
}

/// A program did not do what a test expected of it; says what it did.
package struct TestProcessFailure: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

/// What special keys send.
package enum Key {
  package static let enter = "\r"
  package static let tab = "\t"
  package static let backspace = "\u{7F}"
  package static let escape = "\u{1B}"
  package static let up = "\u{1B}[A"
  package static let down = "\u{1B}[B"
  package static let right = "\u{1B}[C"
  package static let left = "\u{1B}[D"
  package static let controlA = "\u{1}"
  package static let controlC = "\u{3}"
  package static let controlD = "\u{4}"
  package static let controlE = "\u{5}"
  package static let controlL = "\u{C}"
  package static let controlR = "\u{12}"
  package static let controlU = "\u{15}"
  package static let controlW = "\u{17}"
  package static let controlZ = "\u{1A}"

  /// Text as a terminal sends it when it is pasted and the program asked for brackets.
  package static func pasted(_ text: String) -> String { "\u{1B}[200~\(text)\u{1B}[201~" }
}
