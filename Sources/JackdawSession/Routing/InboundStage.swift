// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// The stages that an inbound message passes, in this order. A message of the archive, which only our own server can have written,
/// begins at ``decrypt``.
package enum InboundStage: Int, CaseIterable, Sendable {
  /// Is the sender allowed to say this? (Errors, spoofed carbons, rooms never joined.)
  case verify
  /// Take out what is wrapped, and read what our server added: carbons, stamps, ids of the archive.
  case unwrap
  /// Make readable what was made unreadable for everybody on the way.
  case decrypt
  /// Read what it says beside its text: of earlier messages.
  case interpret
  /// Into the log, unless it is there, before anything is acknowledged.
  case record
  /// To the features that act on it and to the events.
  case deliver
}

/// Whether a message goes on.
package enum StageVerdict: Sendable {
  case pass
  /// Done with: later stages do not see it.
  case drop
  /// The stage takes ownership of it, by this function: later stages do not see it. It is moved there, as a copy is dear. Not once it is in
  /// the log.
  case taken(by: @Client (consuming InboundMessage) -> Void)
  /// That is known later, as something has to be asked first: what goes on is what this returns, nil where nothing does. What came
  /// after it waits for it. Not once it is in the log.
  case later(@Client () async -> InboundMessage?)
}

/// How far a message got on its way through the stages.
enum Passage {
  /// A stage takes its time with a message.
  final class Later: Sendable {
    /// As it came to that stage.
    let message: InboundMessage
    let outcome: @Client () async -> InboundMessage?
    /// Where in the order of handlers the next one stands.
    let next: Int

    init(_ message: InboundMessage, next: Int, outcome: @escaping @Client () async -> InboundMessage?) {
      self.message = message
      self.next = next
      self.outcome = outcome
    }
  }

  /// It has passed them.
  case passed(InboundMessage)
  case dropped
  case later(Later)
}
