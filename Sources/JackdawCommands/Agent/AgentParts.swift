// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawSession

/// What lets other processes' commands go through a run; put together by the composition root.
@Client package struct AgentParts {
  /// Where its sockets are to be; nil: there is no place for them.
  package var folder: AgentFolder?
  /// The environment of this process.
  package var environment: EnvironmentVariables
  /// Makes what a command writes to that runs for somebody else: its stdout and stderr, by its settings and its caller's environment.
  package var makeOutput: @Client (RunStream, RunStream, Settings, EnvironmentVariables) -> any Output
  /// Reads lines from pieces of input.
  package var makeLines: @Client (any PieceSource) -> any LineSource

  package init(
    folder: AgentFolder?, environment: EnvironmentVariables,
    makeOutput: @escaping @Client (RunStream, RunStream, Settings, EnvironmentVariables) -> any Output,
    makeLines: @escaping @Client (any PieceSource) -> any LineSource
  ) {
    self.folder = folder
    self.environment = environment
    self.makeOutput = makeOutput
    self.makeLines = makeLines
  }
}

/// How far a command got that waits for as long as it likes, and that goes on in the process which asked for it.
package struct Handover: Sendable, Equatable {
  /// Messages that are still wanted; nil: any number.
  package var count: Int?
  /// For how long it is still to wait; nil: for ever.
  package var seconds: Double?

  package init(count: Int? = nil, seconds: Double? = nil) {
    self.count = count
    self.seconds = seconds
  }

  /// As it is told to that process.
  var json: [UInt8] {
    var object = JSONObjectText()
    object.add("count", count)
    object.add("milliseconds", seconds.map { Int(max(0, min($0, CommandLimits.longestWait)) * 1_000) })
    return object.text
  }

  /// - Returns: nil: there is none, and the command does not go on.
  init?(_ value: JSONValue) {
    guard case .object = value else { return nil }
    count = value["count"].integer
    seconds = value["milliseconds"].integer.map { Double($0) / 1_000 }
  }
}

/// A command that can go on in another process from where it got to.
package protocol ContinuableCommand: ClientCommand {
  /// The rest of it.
  /// - Returns: nil: it was done.
  func continued(from handover: Handover) -> Self?
}
