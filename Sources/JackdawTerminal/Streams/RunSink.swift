// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawCommands
package import JackdawLoop

/// A stream of a command that runs for another process: lines go there as they would go to a stream of this one.
@Client package final class RunSink: TextSink {
  package let style: Style
  private let stream: RunStream

  /// - Parameters:
  ///   - looks: how text looks that is coloured.
  ///   - environment: of the other process.
  package init(
    _ stream: RunStream, colors: ColorChoice, looks: LookSettings, environment: (String) -> String?
  ) {
    self.stream = stream
    style = Style(colors, isTerminal: stream.columns != nil, looks: looks, environment: environment)
  }

  package var columns: Int? { stream.columns }
  package func write(_ lines: String) { stream.write(lines.utf8) }
  package func write(line: [UInt8]) { stream.write(line) }
  package func settle() { stream.settle() }
  package func whenOut(_ action: @escaping @Client () -> Void) { stream.whenOut(action) }
  package var holdsBack: Bool { stream.holdsBack }
  package func whenRoom(_ action: @escaping @Client () -> Void) { stream.whenRoom(action) }
  package func flush(within limit: Duration?) async throws(CommandFailure) { try await stream.flush(within: limit) }
}
