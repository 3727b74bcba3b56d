// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Dispatch
import Synchronization

extension TestProcess {
  /// A stream of the program. In a terminal everything is on standard output.
  package enum Stream: Sendable {
    case standardOutput
    case standardError
  }

  struct State {
    var output: [UInt8] = []
    var errors: [UInt8] = []
    var open: Set<Stream> = [.standardOutput, .standardError]
    /// Up to where the test has read.
    var expected: [Stream: Int] = [:]
    var ending: Ending?
    var isStopped = false
    var screen: Screen?
    var waiters: [Int: Waiter] = [:]
    var nextWaiter = 0

    init(screen: Screen?) { self.screen = screen }

    mutating func receive(_ bytes: ArraySlice<UInt8>, on stream: Stream) {
      switch stream {
      case .standardOutput: output += bytes
      case .standardError: errors += bytes
      }
      screen?.receive(bytes)
    }

    mutating func close(_ stream: Stream) { open.remove(stream) }

    func bytes(_ stream: Stream) -> [UInt8] { stream == .standardOutput ? output : errors }

    var isOver: Bool { ending != nil && open.isEmpty }

    /// The text up to the end of the next occurrence of `text`, which later calls no longer see.
    /// - Parameter searched: up to where none begins; what was searched is not searched again.
    mutating func take(through text: String, on stream: Stream, searched: inout Int) -> String? {
      let bytes = bytes(stream)
      let start = expected[stream, default: 0]
      let pattern = Array(text.utf8)
      guard let end = bytes.firstRange(of: pattern, from: max(start, searched))?.upperBound else {
        searched = max(searched, bytes.count - pattern.count + 1)
        return nil
      }
      expected[stream] = end
      return String(decoding: bytes[start..<end], as: UTF8.self)
    }
  }

  /// Someone who waits until the state has what they want.
  struct Waiter {
    /// True when it is there; called under the lock after each change.
    let isSatisfied: @Sendable (inout State) -> Bool
    let continuation: CheckedContinuation<Bool, Never>
  }

  /// What the program has written so far.
  package var standardOutput: String { state.withLock { String(decoding: $0.output, as: UTF8.self) } }

  /// What the program has written to standard error so far.
  package var standardError: String { state.withLock { String(decoding: $0.errors, as: UTF8.self) } }

  /// What its terminal shows now; empty when it has none.
  package var screen: Screen { state.withLock { $0.screen ?? Screen(columns: 80, rows: 24) } }

  /// Waits until the program writes `text`, after what earlier calls have seen, and returns all up to its end.
  /// - Throws: ``TestProcessFailure`` with what it wrote instead.
  @discardableResult
  package func expect(
    _ text: String, on stream: Stream = .standardOutput, within limit: Duration = patience
  ) async throws -> String {
    let searched = Box(0)
    let found = await reach(within: limit) { state -> Found? in
      if let taken = searched.value.withLock({ state.take(through: text, on: stream, searched: &$0) }) {
        return .text(taken)
      }
      return state.isOver ? .nothing : nil
    }
    guard case .text(let taken) = found else { throw failure("expected '\(text)'") }
    return taken
  }

  private enum Found: Sendable {
    case text(String)
    case nothing
  }

  /// Waits until its terminal shows what the condition asks for.
  /// - Throws: ``TestProcessFailure`` with what it shows instead.
  @discardableResult
  package func expectScreen(
    _ expectation: String, within limit: Duration = patience, _ condition: @escaping @Sendable (Screen) -> Bool
  ) async throws -> Screen {
    let shown = await reach(within: limit) { state in state.screen.flatMap { condition($0) ? $0 : nil } }
    guard let shown else { throw failure("expected a screen with \(expectation)") }
    return shown
  }

  /// Waits until a visible row contains `text`.
  /// - Throws: ``TestProcessFailure`` with what it shows instead.
  @discardableResult
  package func expectScreen(showing text: String, within limit: Duration = patience) async throws -> Screen {
    try await expectScreen("'\(text)'", within: limit) { $0.shows(text) }
  }

  /// Waits until the program has ended and all it wrote is read.
  /// - Throws: ``TestProcessFailure`` when it has not ended in time.
  @discardableResult
  package func wait(within limit: Duration = patience) async throws -> Ending {
    let ending = await reach(within: limit) { $0.isOver ? $0.ending : nil }
    guard let ending else { throw failure("expected its end") }
    return ending
  }

  /// Waits until `result` is not nil; nil when the time is over first.
  func reach<Result: Sendable>(
    within limit: Duration, _ result: @escaping @Sendable (inout State) -> Result?
  ) async -> Result? {
    let found = Box<Result?>(nil)
    let satisfied = await withCheckedContinuation { continuation in
      let number: Int? = state.withLock { state in
        let check: @Sendable (inout State) -> Bool = { state in
          guard let value = result(&state) else { return false }
          found.value.withLock { $0 = value }
          return true
        }
        if check(&state) { return nil }
        state.nextWaiter += 1
        state.waiters[state.nextWaiter] = Waiter(isSatisfied: check, continuation: continuation)
        return state.nextWaiter
      }
      guard let number else { return continuation.resume(returning: true) }
      let nanoseconds = limit.components.seconds * 1_000_000_000 + limit.components.attoseconds / 1_000_000_000
      DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds))) {
        self.state.withLock { $0.waiters.removeValue(forKey: number) }?.continuation.resume(returning: false)
      }
    }
    return satisfied ? found.value.withLock { $0 } : nil
  }

  private final class Box<Value: Sendable>: Sendable {
    let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }
  }

  /// Changes the state and wakes those who waited for it.
  func change(_ body: (inout State) -> Void) {
    let satisfied = state.withLock { state in
      body(&state)
      let numbers = state.waiters.keys.sorted().filter { number in
        state.waiters[number]?.isSatisfied(&state) ?? false
      }
      return numbers.compactMap { state.waiters.removeValue(forKey: $0) }
    }
    for waiter in satisfied { waiter.continuation.resume(returning: true) }
  }

  func failure(_ expectation: String) -> TestProcessFailure {
    state.withLock { state in
      var text = "\(name): \(expectation); it "
      switch state.ending {
      case nil: text += "is running"
      case .exited(let code): text += "has exited with \(code)"
      case .signalled(let number): text += "was ended by signal \(number)"
      }
      if let screen = state.screen {
        text += "\n--- screen, cursor in row \(screen.cursorRow), column \(screen.cursorColumn)\n\(screen.text)\n---"
      } else {
        text += "\n--- standard output\n\(String(decoding: state.output.suffix(4000), as: UTF8.self))"
        text += "\n--- standard error\n\(String(decoding: state.errors.suffix(4000), as: UTF8.self))\n---"
      }
      return TestProcessFailure(text)
    }
  }
}

extension [UInt8] {
  /// Where `pattern` next begins and ends at or after `start`.
  fileprivate func firstRange(of pattern: [UInt8], from start: Int) -> Range<Int>? {
    guard let first = pattern.first, count - start >= pattern.count else { return nil }
    // By pointers: without optimisation slices take a hundred times as long, and this is asked with each piece of output.
    return withUnsafeBufferPointer { bytes in
      var index = start
      while index <= bytes.count - pattern.count {
        if bytes[index] == first {
          var length = 1
          while length < pattern.count, bytes[index + length] == pattern[length] { length += 1 }
          if length == pattern.count { return index..<index + length }
        }
        index += 1
      }
      return nil
    }
  }
}
