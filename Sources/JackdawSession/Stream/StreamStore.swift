// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol

/// What a program needs so that the server recognises it: its resource, and the stream that it may resume.
///
/// Each of the programs that share a store at one time has a resource and a stream of its own.
@Client package protocol StreamStore: AnyObject {
  /// Called when what was kept is gone, as the store had to begin anew.
  var onBegunAnew: (@Client () -> Void)? { get set }

  /// The resource to ask for: the same at each start on this machine, another for a second program that runs beside the first.
  /// - Parameter wish: what the user asked for; nil: whatever is free.
  /// - Throws: when nothing can be kept: then the server may choose.
  func resource(_ wish: String?) throws -> String

  /// Another machine logs in by a resource that was made up for this one: the next that is asked for here is a new one.
  func forgetResource(_ name: String) throws

  /// Whether programs that are gone left messages that a single command may send (``MessageStore/adopt()``). One query where none did.
  func hasLeftovers() throws -> Bool

  /// The stream that the program before this one had, and when it last said how far it was; nil when it ended properly.
  func loadStream() throws -> (resumption: StreamResumption, time: Timestamp)?

  /// Keeps how far the stream is.
  func keepStream(_ resumption: StreamResumption, at time: Timestamp) throws

  /// The number of the last message that is in the log; nil: nobody can say.
  func lastLogged() -> Int64?

  /// The server has heard, as the last word on the stream (XEP-0198 4), that all has come that is in the log up to this number: it gives
  /// none of it again. Where another program has the store locked it is not noted: then what only looks as if it came again is not shown.
  func noteAcknowledged(through number: Int64)

  /// The stream is over.
  func forgetStream() throws
}
