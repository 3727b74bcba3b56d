// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop

/// All that is on its way to one open file, in its order. Sending takes what the other side takes at once; the rest follows
/// whenever it takes more.
///
/// Two streams that are one file (`2>&1`) share one of these, so that no line stands within another.
@Client final class QueuedOutput {
  private let destination: NonblockingOutput
  private var queue = OutputQueue()
  /// Bytes that were ever put into the queue, and that have gone out: ``queue`` has those between.
  private var taken = 0
  private var sent = 0
  /// Something of a line has gone out, and not its end.
  private var isWithinLine = false
  private var watch: DescriptorWatch?

  /// What waits for a place in the stream to have gone out.
  private var actions = PlacedActions()
  /// Bounded by our own callers.
  private var roomActions: [@Client () -> Void] = []
  /// Bounded by our own callers.
  private var writableActions: [@Client () -> Void] = []
  /// Bounded by our own callers.
  private var endActions: [@Client () -> Void] = []
  /// Called once when nothing can be written any more, with the error.
  /// Bounded by our own callers.
  private var failureActions: [@Client (Int32) -> Void] = []
  /// Why nothing can be written any more.
  private(set) var failure: Int32?

  init(_ descriptor: Int32) { destination = NonblockingOutput(descriptor) }

  /// Bytes that wait.
  var count: Int { taken - sent }
  var isEmpty: Bool { count == 0 }
  /// The other side does not take more at present.
  private var isBlocked: Bool { watch != nil && !isEmpty }

  // MARK: Taking

  func append(_ text: String) {
    guard failure == nil else { return }
    queue.append(text)
    taken += text.utf8.count
  }

  func append(_ entry: PlainEntry) {
    guard failure == nil else { return }
    taken += queue.append(entry)
  }

  func append(_ bytes: [UInt8]) {
    guard failure == nil else { return }
    queue.append(bytes)
    taken += bytes.count
  }

  func append(_ bytes: UnsafeRawBufferPointer) {
    guard failure == nil else { return }
    queue.append(bytes)
    taken += bytes.count
  }

  // MARK: Sending

  /// Sends what is taken at once, unless it is known that nothing is.
  func sendOn() {
    if !isBlocked { send() }
  }

  /// Sends what is taken at once.
  func send() {
    // Whatever waits for something waits for bytes to go, or for the other side to take some.
    guard !isEmpty || watch != nil else { return }
    while failure == nil, !isEmpty {
      switch queue.withBytes(destination.write) {
      case .moved(let count):
        if count > 0 { isWithinLine = queue.withBytes { $0[count - 1] != UInt8(ascii: "\n") } }
        queue.remove(first: count)
        sent += count
      case .wouldBlock:
        startWatching()
        return progress()
      case .failed(let error): return fail(error)
      }
    }
    if writableActions.isEmpty { watch = nil }
    progress()
  }

  /// Runs what waited for what has gone out now.
  private func progress() {
    while let action = actions.next(upTo: sent) { action() }
    if !holdsBack { runRoomActions() }
    if isEmpty { runEndActions() }
  }

  /// Actions may ask for more of their kind.
  private func runRoomActions() {
    guard !roomActions.isEmpty else { return }
    let due = roomActions
    roomActions = []
    for action in due { action() }
  }

  private func runEndActions() {
    guard !endActions.isEmpty else { return }
    let due = endActions
    endActions = []
    for action in due { action() }
  }

  private func runWritableActions() {
    let due = writableActions
    writableActions = []
    for action in due { action() }
  }

  private func startWatching() {
    guard watch == nil else { return }
    watch = EventLoop.main.watch(destination.descriptor, .writable) { [weak self] _ in self?.becameWritable() }
  }

  private func becameWritable() {
    runWritableActions()
    send()
  }

  /// Forgets what waits, but for the rest of a line of which something has gone out.
  /// - Returns: how many bytes it forgot.
  func leaveOutLines() -> Int {
    let rest = queue.withBytes { bytes in bytes.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count }
    let count = self.count - (isWithinLine ? rest : 0)
    guard count > 0 else { return 0 }
    queue.remove(last: count)
    taken -= count
    // What was left out never goes out.
    actions.removeAll(behind: taken)
    progress()
    return count
  }

  /// Nothing can be written any more: nobody is to wait for it.
  func fail(_ error: Int32) {
    guard failure == nil else { return }
    failure = error
    queue.removeAll()
    taken = sent
    watch = nil
    // Nothing has gone out.
    actions = PlacedActions()
    let told = failureActions
    failureActions = []
    for action in told { action(error) }
    runWritableActions()
    runRoomActions()
    runEndActions()
  }

  // MARK: Waiting

  /// So much waits that whoever can wait should.
  var holdsBack: Bool { count >= TerminalLimits.outputRoom }

  /// Runs an action as soon as all that was taken so far has gone out, at once where it has; never when it does not.
  func whenOut(_ action: @escaping @Client () -> Void) {
    guard failure == nil else { return }
    if isEmpty { action() } else { actions.append(at: taken, action) }
  }

  /// Runs an action as soon as there is room, or nothing more to wait for; at once where that is so.
  func whenRoom(_ action: @escaping @Client () -> Void) {
    if holdsBack { roomActions.append(action) } else { action() }
  }

  /// Runs an action as soon as nothing waits any more, because it has gone out or never will; at once where that is so.
  func whenEmpty(_ action: @escaping @Client () -> Void) {
    if isEmpty { action() } else { endActions.append(action) }
  }

  /// Runs an action as soon as the other side takes something.
  /// - Returns: whether it does now: then the action is not run.
  func isWritable(else action: @escaping @Client () -> Void) -> Bool {
    if failure != nil || destination.isWritable { return true }
    writableActions.append(action)
    startWatching()
    return false
  }

  func whenFailed(_ action: @escaping @Client (Int32) -> Void) { failureActions.append(action) }
}

extension OutputQueue {
  /// Adds the bytes of an entry.
  /// - Returns: how many there are.
  fileprivate mutating func append(_ entry: PlainEntry) -> Int {
    let before = count
    entry.forEachPiece { append($0) }
    return count - before
  }
}
