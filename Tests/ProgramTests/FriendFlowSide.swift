// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Somebody in a ``FriendFlow``, who stays online and may leave and come back.
protocol FriendFlowSide: Actor {
  nonisolated var jid: String { get }
  /// Logs in, unless they are there, and returns when they are online.
  func start() async throws
  /// Leaves, and returns when they are gone.
  func end() async throws
  /// Ends what runs, however it is.
  func kill() async
  /// Does something, and does not wait for what comes of it.
  func begins(_ step: String) async
  /// Does something.
  /// - Returns: the outcomes that they are told of, or exit codes of failures; nil of a client that tells none.
  func takes(_ step: String) async throws -> [String]?
  /// What their list shows for somebody, as ``FriendFlow/Step/alice`` has it.
  func entry(of jid: String) async throws -> String
  /// Lets some time go by, in which news may come.
  func waits() async throws
  /// How often they have been told that something was refused or ended; nil of a client that does not say.
  var endings: Int? { get }
}

/// Has two people online, and ends what runs when `body` is done.
func withBothOnline<First: FriendFlowSide, Second: FriendFlowSide, Result>(
  _ first: First, _ second: Second, _ body: (First, Second) async throws -> Result
) async throws -> Result {
  let result: Result
  do {
    async let one: Void = first.start()
    async let other: Void = second.start()
    _ = try await (one, other)
    result = try await body(first, second)
  } catch {
    await first.kill()
    await second.kill()
    throw error
  }
  try await first.end()
  try await second.end()
  return result
}
