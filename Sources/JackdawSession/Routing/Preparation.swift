// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
package import JackdawProtocol

/// The stages that a message of ours passes between the log and the wire, in this order.
package enum OutboundStage: Int, CaseIterable, Sendable {
  /// What goes with it is added: a question for a receipt, a hint for the archive.
  case prepare
  /// What is in it is made unreadable for everybody on the way.
  case encrypt
}

/// What a stage makes of a message of ours.
package enum Preparation {
  /// It goes on so. Few stages say this: `indirect` keeps small what all of them return.
  indirect case ready(Message)
  /// It cannot be sent: one sentence why.
  case failed(reason: String)
  /// That is known later, as something has to be asked first. What was written after it waits for it.
  case later(@Client () async -> Preparation)
}

/// Why a message of ours is not ready when it has passed its stages: as ``Preparation`` has it.
enum Hindrance {
  case failed(reason: String)
  case later(@Client () async -> Preparation)
}
