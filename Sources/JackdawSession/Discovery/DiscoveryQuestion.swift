// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop

/// What somebody is and can do, asked for when it is first wanted, and once, however many want it, until it is forgotten.
@Client package final class DiscoveryQuestion {
  private typealias Answer = Result<DiscoveryInformation, RequestError>

  /// The answer, once it is here.
  package private(set) var answer: DiscoveryInformation?
  private let ask: @Client () async throws(RequestError) -> DiscoveryInformation
  private var asked: Task<Answer, Never>?

  init(_ ask: @escaping @Client () async throws(RequestError) -> DiscoveryInformation) { self.ask = ask }

  isolated deinit { asked?.cancel() }

  /// The answer. One that failed is asked for again when it is wanted again.
  package func value() async throws(RequestError) -> DiscoveryInformation {
    if let answer { return answer }
    let task = asked ?? start()
    let result = await task.value
    if asked == task {
      asked = nil
      if case .success(let information) = result { answer = information }
    }
    return try result.get()
  }

  /// What was said does not hold any more, nor what is still to come.
  func forget() {
    asked?.cancel()
    asked = nil
    answer = nil
  }

  private func start() -> Task<Answer, Never> {
    let task = Task(executorPreference: EventLoop.main) { [ask] () -> Answer in
      do throws(RequestError) {
        return .success(try await ask())
      } catch {
        return .failure(error)
      }
    }
    asked = task
    return task
  }
}
