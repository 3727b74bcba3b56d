// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
package import JackdawSession

/// Where everything that a command has to say goes. The only way out to the eye.
@Client package protocol Output: AnyObject {
  /// A result, on stdout. A row without cells is for JSON only.
  /// - Parameters:
  ///   - command: the command's name: `friends list`.
  ///   - account: the one that it was run for; nil where there is none.
  func show(_ row: any CommandRow, of command: String, account: JID?)
  /// A whole document that a program will read, on stdout, exactly as it is: with newlines of its own, not escaped. On a terminal
  /// it is shown as text is.
  func show(document: [UInt8])
  /// Something that happened, on stdout: what `listen`, a script and the prompt print. In text, and not at the prompt, the
  /// connection's ups and downs are remarks for people, on stderr, and only those that nobody asked for: lost, tried
  /// again, back.
  /// - Parameter account: where it happened.
  func show(_ event: any ClientEvent, of account: JID)
  /// A remark for people, on stderr; left out by `-q`.
  func notice(_ text: String)
  /// A remark for people that has to be read, as something would be lost otherwise: on stderr, also with `-q`.
  func warn(_ text: String)
  /// How far something is that takes its time: a line that the next one replaces, on stderr where that is a terminal and no prompt.
  /// - Parameter text: nil: it is done.
  func progress(_ text: String?)
  /// A remark that only `-v` shows, on stderr.
  func detail(_ text: String)
  /// What went over the wire (`--log-xml`), on stderr, whatever `-q` and `-v` say.
  func trace(_ text: String)
  /// A failure: one sentence on stderr, and with `--json` an `error` object on stdout.
  /// - Parameter account: the one that the command was run for; nil where there is none.
  func fail(_ failure: CommandFailure, account: JID?)
  /// Runs an action as soon as what has been shown so far is on its way out of the process; at once where it is, never where it
  /// cannot be.
  func whenOut(_ action: @escaping @Client () -> Void)
  /// So much waits for whoever reads stdout that whoever can wait should, with ``makeRoom()`` or ``whenRoom(_:)``.
  var holdsBack: Bool { get }
  /// Runs an action as soon as there is room, or nobody left to wait for; at once where that is so.
  func whenRoom(_ action: @escaping @Client () -> Void)
  /// The numbers of the texts that were folded on the screen and can be printed whole, oldest first.
  var foldedNumbers: [Int] { get }
  /// A text that was folded, to be printed whole; nil where there is none, or no more.
  /// - Parameter number: the one in the line that folded it; nil: the last text that was folded.
  func unfolding(_ number: Int?) -> (any Unfolding)?
  /// Empties the screen under the prompt's lines; what stood there is above it, where the terminal scrolls back. Nothing without a
  /// prompt.
  func clearScreen()
  /// Sends on what is taken at once, and waits for nothing.
  func settle()
  /// Sends on the lines for stdout alone, as far as they are taken at once. What is gathered to be told in one goes on being so.
  func sendOn()
  /// Waits until what has been shown is on its way out of the process. Throws when stdout is closed or its disk full; when the
  /// task is cancelled.
  func flush() async throws(CommandFailure)
}

/// A text that was folded on the screen, on its way to being printed whole.
@Client package protocol Unfolding: AnyObject {
  /// Prints the next piece of it.
  /// - Returns: whether there is more.
  func printNext() -> Bool
}

extension Output {
  package var foldedNumbers: [Int] { [] }
  package func clearScreen() {}
  package func unfolding(_ number: Int?) -> (any Unfolding)? { nil }

  /// Waits while so much is on its way out that nothing more should be added to it: before a script's next line, and between the
  /// rows of a command that has many.
  /// - Throws: `CancellationError`.
  package func makeRoom() async throws {
    while holdsBack {
      let room = Latch(clock: EventLoop.main)
      whenRoom { room.open() }
      try await room.wait()
    }
  }
}
