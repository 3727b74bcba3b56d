// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// Passes everything on to the output of the moment: the streams, or the prompt once it is open.
@Client final class OutputSwitch: Output {
  var target: any Output

  init(_ target: any Output) { self.target = target }

  func show(_ row: any CommandRow, of command: String, account: JID?) {
    target.show(row, of: command, account: account)
  }
  func show(document: [UInt8]) { target.show(document: document) }
  func show(_ event: any ClientEvent, of account: JID) { target.show(event, of: account) }
  func notice(_ text: String) { target.notice(text) }
  func warn(_ text: String) { target.warn(text) }
  func progress(_ text: String?) { target.progress(text) }
  func detail(_ text: String) { target.detail(text) }
  func trace(_ text: String) { target.trace(text) }
  func fail(_ failure: CommandFailure, account: JID?) { target.fail(failure, account: account) }
  func whenOut(_ action: @escaping @Client () -> Void) { target.whenOut(action) }
  var holdsBack: Bool { target.holdsBack }
  func whenRoom(_ action: @escaping @Client () -> Void) { target.whenRoom(action) }
  var foldedNumbers: [Int] { target.foldedNumbers }
  func unfolding(_ number: Int?) -> (any Unfolding)? { target.unfolding(number) }
  func clearScreen() { target.clearScreen() }
  func settle() { target.settle() }
  func sendOn() { target.sendOn() }
  func flush() async throws(CommandFailure) { try await target.flush() }
}
