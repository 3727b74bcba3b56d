// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
package import JackdawXML

/// Which feature gets which stanza. Filled once at the start; two routes for one payload are a bug of ours and trap.
@Client package final class RouteTable {
  /// Answers a get or set: returns the answer, or nil when it will be sent later.
  package typealias RequestHandler = @Client (IQ) -> IQ?
  /// Sees a presence; its sender is always set.
  package typealias PresenceHandler = @Client (Presence) -> Void
  /// Sees a message, may change it, and says whether it goes on.
  package typealias MessageHandler = @Client (inout InboundMessage) -> StageVerdict
  /// Sees a message of ours as it is about to be sent.
  /// - Returns: nil: the message goes on as it is now.
  package typealias PreparationHandler = @Client (inout Message) -> Preparation?

  /// Sees the tag of a message that was left out.
  package typealias LeftOutHandler = @Client (Element) -> Void

  /// What one feature does with messages in a stage.
  private struct Stage {
    let handler: MessageHandler
    let interest: PayloadSeekers.Interest
  }

  /// What features do with messages in all stages, in order.
  @Client private final class StageOrder {
    let all: [Stage]
    /// Where in that order each stage begins.
    private let starts: [Int]
    private var seekers: PayloadSeekers

    init(_ stages: [[Stage]]) {
      all = stages.flatMap { $0 }
      starts = stages.indices.map { stages[..<$0].joined().count }
      seekers = PayloadSeekers(all.map(\.interest))
    }

    /// Those from the beginning of a stage on, up to that of another.
    func places(from first: InboundStage, to end: InboundStage? = nil) -> Range<Int> {
      starts[first.rawValue]..<(end.map { starts[$0.rawValue] } ?? all.count)
    }

    func concerned(by message: inout InboundMessage) -> PayloadSeekers.Places {
      if let known = message.concerned { return known }
      let concerned = seekers.all(concernedBy: message.message)
      message.concerned = concerned
      return concerned
    }
  }

  /// What one feature does with requests of a namespace.
  private struct RequestRoute {
    let kind: IQ.Kind
    let name: String
    let handler: RequestHandler
  }

  /// By the namespace of their payload. Bounded by the features.
  private var requests: [String: [RequestRoute]] = [:]
  /// Bounded by the features.
  private var presences: [PresenceHandler] = []
  /// Takes presence that is nobody else's. Bounded by the features.
  private var claims: [@Client (Presence) -> Bool] = []
  private var stages: [[Stage]] = Array(repeating: [], count: InboundStage.allCases.count)
  /// Made of these with the first message, which most single commands never see.
  private var order: StageOrder?
  /// Bounded by the features.
  private var comingAgain: [@Client (InboundMessage) -> Void] = []
  /// Bounded by the features.
  private var leftOut: [LeftOutHandler] = []
  private var outbound: [[PreparationHandler]] = Array(repeating: [], count: OutboundStage.allCases.count)
  /// Those of all stages, in order.
  private var preparations: [PreparationHandler] = []

  package init() {}

  /// Requests of `kind` whose payload is `name` in `namespace`.
  package func onRequest(_ kind: IQ.Kind, _ name: String, _ namespace: String, _ handler: @escaping RequestHandler) {
    precondition(kind == .get || kind == .set, "answers are the tracker's")
    precondition(self.handler(for: kind, name, namespace) == nil, "two routes for \(name) in \(namespace)")
    requests[namespace, default: []].append(RequestRoute(kind: kind, name: name, handler: handler))
  }

  /// Every presence stanza, in the order of the feature list.
  package func onPresence(_ handler: @escaping PresenceHandler) { presences.append(handler) }

  /// Presence stanzas that are of no concern to anybody else, as those of occupants of rooms: true for those that were taken.
  package func claimPresence(_ claim: @escaping @Client (Presence) -> Bool) { claims.append(claim) }

  /// Every message that got as far as `stage`.
  /// - Parameter namespaces: only those that hold a payload of one of these. Most features look for what few messages hold: to ask
  ///   each of them about each message took a fifth of the instructions that it takes to receive one.
  package func onMessage(
    _ stage: InboundStage, holding namespaces: [String]? = nil, _ handler: @escaping MessageHandler
  ) {
    add(handler, namespaces.map { .payloads($0) } ?? .everyMessage, to: stage)
  }

  /// Every message of some kinds that got as far as `stage`.
  package func onMessage(_ stage: InboundStage, of kinds: [Message.Kind], _ handler: @escaping MessageHandler) {
    add(handler, .kinds(kinds), to: stage)
  }

  private func add(_ handler: @escaping MessageHandler, _ interest: PayloadSeekers.Interest, to stage: InboundStage) {
    stages[stage.rawValue].append(Stage(handler: handler, interest: interest))
    order = nil
  }

  private func arranged() -> StageOrder {
    if let order { return order }
    let order = StageOrder(stages)
    self.order = order
    return order
  }

  /// Every message that passed the stages before the log and is to come again, as the log has not taken it: what is remembered of it is to
  /// keep nobody from being told.
  package func onComingAgain(_ handler: @escaping @Client (InboundMessage) -> Void) { comingAgain.append(handler) }

  /// The tag of every message that was left out as it exceeds a limit.
  package func onLeftOut(_ handler: @escaping LeftOutHandler) { leftOut.append(handler) }

  /// Every message of ours, each time that it is about to be sent.
  package func onSending(_ stage: OutboundStage, _ handler: @escaping PreparationHandler) {
    outbound[stage.rawValue].append(handler)
    preparations = outbound.flatMap { $0 }
  }

  func handler(for request: IQ) -> RequestHandler? {
    guard let payload = request.payload else { return nil }
    return handler(for: request.kind, payload.name, payload.namespace)
  }

  private func handler(for kind: IQ.Kind, _ name: String, _ namespace: String) -> RequestHandler? {
    requests[namespace]?.first { $0.kind == kind && $0.name == name }?.handler
  }

  func comesAgain(_ message: InboundMessage) {
    for handler in comingAgain { handler(message) }
  }

  func messageLeftOut(_ envelope: Element) {
    for handler in leftOut { handler(envelope) }
  }

  func deliver(_ presence: Presence) {
    if claims.contains(where: { $0(presence) }) { return }
    for handler in presences { handler(presence) }
  }

  /// Has a message pass its stages.
  /// - Parameter first: those before it have been passed.
  func pass(_ message: consuming InboundMessage, from first: InboundStage = .verify) -> Passage {
    let order = arranged()
    return pass(consume message, by: order.places(from: first), of: order)
  }

  /// Has a message that is in the log pass the last stage.
  func deliver(_ message: inout InboundMessage) {
    let order = arranged()
    _ = run(&message, by: order.places(from: .deliver), of: order)
  }

  /// Has a message pass what comes behind a stage that took its time.
  func pass(_ message: InboundMessage, behind later: Passage.Later) -> Passage {
    let order = arranged()
    return pass(message, by: later.next..<order.all.count, of: order)
  }

  /// Has a message that needs nothing but to be read pass the stages before the log.
  /// - Parameter first: those before it are not for it.
  /// - Returns: nil when it is dropped.
  func read(_ message: InboundMessage, from first: InboundStage) async -> InboundMessage? {
    let order = arranged()
    let places = order.places(from: first, to: .record)
    var passage = pass(message, by: places, of: order)
    while case .later(let later) = passage {
      guard let known = await later.outcome() else { return nil }
      passage = pass(known, by: later.next..<places.upperBound, of: order)
    }
    guard case .passed(let message) = passage else { return nil }
    return message
  }

  private func pass(_ message: consuming InboundMessage, by places: Range<Int>, of order: StageOrder) -> Passage {
    switch run(&message, by: places, of: order) {
    case .pass: return .passed(consume message)
    case .drop: return .dropped
    case .taken(let owner):
      owner(consume message)
      return .dropped
    case .later(let later): return .later(later)
    }
  }

  /// How far a message got.
  private enum Progress {
    case pass, drop
    case taken(by: @Client (consuming InboundMessage) -> Void)
    case later(Passage.Later)
  }

  private func run(_ message: inout InboundMessage, by places: Range<Int>, of order: StageOrder) -> Progress {
    let range = PayloadSeekers.all(in: places)
    var left = order.concerned(by: &message) & range
    while let place = PayloadSeekers.first(of: left) {
      switch order.all[place].handler(&message) {
      // It may have changed what the message holds.
      case .pass: left = order.concerned(by: &message) & range & PayloadSeekers.all(behind: place)
      case .drop: return .drop
      case .taken(let owner): return .taken(by: owner)
      case .later(let outcome): return .later(Passage.Later(message, next: place + 1, outcome: outcome))
      }
    }
    return .pass
  }

  /// Has a message of ours pass its stages, which change it in place: it is large.
  /// - Returns: nil: it is ready.
  func prepare(_ message: inout Message) -> Hindrance? { prepare(&message, by: preparations[...]) }

  private func prepare(_ message: inout Message, by handlers: ArraySlice<PreparationHandler>) -> Hindrance? {
    for place in handlers.indices {
      switch handlers[place](&message) {
      case nil: continue
      case .ready(let made)?: message = made
      case .failed(let reason)?: return .failed(reason: reason)
      case .later(let known)?:
        let others = handlers[(place + 1)...]
        return .later { self.prepare(await known(), by: others) }
      }
    }
    return nil
  }

  private func prepare(_ known: Preparation, by handlers: ArraySlice<PreparationHandler>) -> Preparation {
    switch known {
    case .ready(var message):
      switch prepare(&message, by: handlers) {
      case nil: .ready(message)
      case .failed(let reason)?: .failed(reason: reason)
      case .later(let more)?: .later(more)
      }
    case .failed: known
    case .later(let more): .later { self.prepare(await more(), by: handlers) }
    }
  }
}
