// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawTransport
import JackdawXML

extension CommandFailure {
  /// The failure that an error of any layer comes to: its exit code, a word for programs, a sentence for people.
  package init(_ error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let error as ConnectionError: self.init(connection: error)
    case let error as RequestError: self.init(request: error)
    case let error as RequestGroupError: self.init(error.first.error)
    case let error as StanzaError: self.init(stanza: error)
    case let error as MessageNotStored: self.init(.inputOutput, "not-stored", error.description)
    case let error as any StoreFailure:
      self.init(error.isBusy ? .tryAgain : .inputOutput, error.isBusy ? "locked" : "not-stored", error.description)
    case let error as MessageBounced: self.init(stanza: error.error, text: error.description)
    case let error as FriendError: self.init(friend: error)
    case let error as FeatureError: self.init(feature: error)
    case let error as RegistrationFormError: self.init(.unavailable, error.code.name, error.description)
    case let error as EventWaitError: self.init(wait: error)
    case let error as JIDError: self.init(.badInput, "jid-malformed", error.description)
    case let error as XMLWriteError: self.init(.badInput, "bad-input", error.description)
    case let error as StringPreparationError: self.init(.badInput, "bad-input", error.description)
    case let error as DecodeError: self.init(.badInput, "bad-input", error.description)
    case let error as TransportError: self.init(connection: ConnectionError(error))
    case let error as ChildProcessError where error.mayPass: self.init(.tryAgain, "resources", error.description)
    case let error as ChildProcessError: self.init(.configuration, "program", error.description)
    case let error as HelperThreadError: self.init(.tryAgain, "resources", error.description)
    case is CancellationError: self = .interrupted
    default: self.init(.bug, "internal", "This is a bug in Jackdaw: \(error)")
    }
  }

  private init(connection error: ConnectionError) {
    let code: ExitCode =
      switch error.code {
      case .unresolved, .unreachable: .noHost
      case .unsafe, .protocolViolation: .unsafe
      case .authentication: .authentication
      case .refused, .conflict: .unavailable
      case .configuration: .configuration
      default: .tryAgain
      }
    self.init(code, error.condition ?? error.code.name, error.summary)
  }

  /// A connection that stays lost, of a command that would have gone on.
  /// - Parameter cause: what ended it; its code, where another run would come to the same, so that whoever starts it again does not.
  static func lostForGood(_ text: String, _ cause: ConnectionError?) -> CommandFailure {
    let failure = cause.map { CommandFailure($0) }
    guard let failure, failure.code != .tryAgain else { return CommandFailure(.tryAgain, "connection-lost", text) }
    return CommandFailure(failure.code, failure.condition, text)
  }

  /// The server refused the user name or the password: another one may do better.
  var isWrongPassword: Bool { code == .authentication && ConnectionError.wrongPassword.contains(condition) }

  private init(request error: RequestError) {
    switch error.code {
    case .cancelled: self = .interrupted
    case .timedOut: self.init(.tryAgain, "timeout", error.description)
    case .leftOut: self.init(.unavailable, error.code.name, error.description)
    case .malformedReply: self.init(.unsafe, error.code.name, error.description)
    default:
      if let stanza = error.stanzaError {
        self.init(stanza: stanza, text: error.description)
      } else if let cause = error.cause {
        self.init(cause)
      } else if error.code == .notSent {
        self.init(.unavailable, error.code.name, error.description)
      } else {
        self.init(.bug, error.code.name, error.description)
      }
    }
  }

  private init(stanza error: StanzaError, text: String? = nil) {
    let code: ExitCode =
      switch error.condition {
      case "item-not-found", "gone", "remote-server-not-found": .noUser
      case "remote-server-timeout": .tryAgain
      case "jid-malformed": .badInput
      default: .unavailable
      }
    self.init(code, error.condition, text ?? error.description)
  }

  private init(friend error: FriendError) {
    switch error.reason {
    case .isOurselves: self.init(.badInput, "own-address", error.description)
    case .isBlocked: self.init(.unavailable, "not-acceptable", error.description)
    case .isRoom: self.init(.badInput, "room", error.description)
    case .isRefused: self.init(.unavailable, "not-authorized", error.description)
    case .notOnList, .hasNotAsked, .hasWithdrawn, .notAsked: self.init(.noUser, "item-not-found", error.description)
    case .cannotApprove: self.init(.unavailable, "feature-not-implemented", error.description)
    case .undeliverable(let stanza): self.init(stanza: stanza, text: error.description)
    case .unconfirmed: self.init(.tryAgain, "timeout", error.description)
    }
  }

  private init(feature error: FeatureError) {
    let code: ExitCode =
      switch error.code {
      case .notFound: .noUser
      case .badInput: .badInput
      default: .unavailable
      }
    self.init(code, error.stanzaError?.condition ?? error.code.name, error.description)
  }

  private init(wait error: EventWaitError) {
    switch error.code {
    case .cancelled: self = .interrupted
    case .timedOut: self.init(.tryAgain, "timeout", error.description)
    default: self.init(.usage, "usage", error.description)
    }
  }
}
