// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawSession

/// Where everything that a command has to say goes. The only way out to the eye.
@Client package protocol Output: AnyObject {
  /// A result, on stdout. `command` is the command's name: `friends list`. A row without cells is for JSON only.
  func show(_ row: any CommandRow, of command: String)
  /// A whole document that a program will read, on stdout, exactly as it is: with newlines of its own, not escaped. On a terminal
  /// it is shown as text is.
  func show(document: [UInt8])
  /// Something that happened, on stdout: what `listen`, a script and the prompt print. In text, and not at the prompt, the
  /// connection's ups and downs are remarks for people, on stderr, and only those that nobody asked for: lost, tried
  /// again, back.
  func show(_ event: any ClientEvent)
  /// A remark for people, on stderr; left out by `-q`.
  func notice(_ text: String)
  /// A remark that only `-v` shows, on stderr.
  func detail(_ text: String)
  /// What went over the wire (`--log-xml`), on stderr, whatever `-q` and `-v` say.
  func trace(_ text: String)
  /// A failure: one sentence on stderr, and with `--json` an `error` object on stdout.
  func fail(_ failure: CommandFailure)
  /// Runs an action as soon as what has been shown so far is on its way out of the process; at once where it is.
  func whenOut(_ action: @escaping @Client () -> Void)
  /// What has been shown is on its way out of the process. Throws when stdout is closed or its disk full.
  func flush() throws(CommandFailure)
}
