// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawLoop

/// Lines that a test gives, all at once or one by one.
@Client final class TypedLines: LineSource {
  private var results: [Result<String?, CommandFailure>] = []
  private var waiter: CheckedContinuation<Result<String?, CommandFailure>, Never>?
  private var isOpen: Bool

  /// Called with each line that is there when it is asked for; nil: each has to be waited for.
  var onReadyLine: (@Client () -> Void)?

  /// - Parameter isOpen: more may come.
  init(_ text: String = "", isOpen: Bool = false) {
    self.isOpen = isOpen
    if !text.isEmpty {
      results = text.split(separator: "\n", omittingEmptySubsequences: false).map { .success(String($0)) }
    }
  }

  /// How many lines have not been asked for.
  var count: Int { results.count }

  func readyLine() throws(CommandFailure) -> String? {
    guard let onReadyLine, case .success(let line?)? = results.first else { return nil }
    results.removeFirst()
    onReadyLine()
    return line
  }

  func type(_ line: String) { give(.success(line)) }
  func fail(_ failure: CommandFailure) { give(.failure(failure)) }

  func end() {
    isOpen = false
    if let waiter {
      self.waiter = nil
      waiter.resume(returning: .success(nil))
    }
  }

  private func give(_ result: Result<String?, CommandFailure>) {
    guard let waiter else { return results.append(result) }
    self.waiter = nil
    waiter.resume(returning: result)
  }

  func nextLine() async throws(CommandFailure) -> String? {
    if !results.isEmpty { return try results.removeFirst().get() }
    guard isOpen else { return nil }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Result<String?, CommandFailure>, Never>) in
        if Task.isCancelled {
          continuation.resume(returning: .failure(.interrupted))
        } else {
          waiter = continuation
        }
      }
    } onCancel: {
      EventLoop.main.start { self.fail(.interrupted) }
    }
    return try result.get()
  }
}
