// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The one actor on which all protocol state lives. Its executor is the poll loop, so code on `@Client` runs on
/// the loop's thread, and calls between such code are plain calls. Tasks begin with
/// ``EventLoop/start(_:)``; a plain `Task { … }` would wake the global thread pool.
@globalActor package actor Client {
  package static let shared = Client()

  package nonisolated var unownedExecutor: UnownedSerialExecutor { EventLoop.main.asUnownedSerialExecutor() }
}
