// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
package import JackdawProtocol
package import JackdawXML

/// Requests that were written by hand: sent as they are, whatever is in them.
extension IQTracker {
  /// Sends a get or set and waits for its answer; else as ``request(_:timeout:)``, which writes the stanza anew.
  /// - Parameter element: an `<iq/>` with an id.
  /// - Returns: the answer of type result.
  /// - Throws: ``RequestError`` for every other end.
  package func answer(to element: Element, timeout: Timeout) async throws(RequestError) -> IQ {
    guard let sender else { throw RequestError(.notSent, "There is no connection to send the request on.") }
    let id = element.attribute("id") ?? ""
    let end = await withTaskCancellationHandler {
      await withCheckedContinuation {
        (continuation: CheckedContinuation<Result<RequestOutcome, RequestError>, Never>) in
        do throws(RequestError) {
          try track(element, info: (), timeout: timeout) { outcome, _ in
            continuation.resume(returning: .success(outcome))
          }
        } catch {
          return continuation.resume(returning: .failure(error))
        }
        do {
          try sender.send(element)
        } catch {
          resolve(id: id, with: .connectionGone(error))
        }
      }
    } onCancel: {
      Task(executorPreference: EventLoop.main) { await self.remove(id: id) }
    }
    return try end.get().get()
  }

  /// Sends a stanza that nobody answers.
  /// - Throws: when there is no connection, or it holds what XML cannot carry.
  package func send(_ element: Element) throws {
    guard let sender else { throw RequestError(.notSent, "There is no connection to send it on.") }
    try sender.send(element)
  }
}
