// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// All that an address was asked, each part by itself: what one part is refused does not keep the others.
@Client struct Inquiry {
  private let jid: JID
  private let session: Session
  private let timeout: Duration
  private let withCard: Bool

  /// - Parameter withCard: a card is an account's: of several clients of one it is asked for once.
  init(_ jid: JID, _ session: Session, _ timeout: Duration, withCard: Bool) {
    self.jid = jid
    self.session = session
    self.timeout = timeout
    self.withCard = withCard
  }

  /// Asks for everything at once.
  /// - Throws: why nothing at all was answered.
  func findings() async throws -> Findings {
    let features = session.features
    let group = RequestGroup(limit: SessionLimits.requestsAtLogin)
    let idleness = group.add("idleness") {
      try await features[LastActivity.self].idleness(of: jid, timeout: timeout)
    }
    // For an account its server answers, which knows neither of the account's programs nor of its clocks.
    let isAccount = jid.isBare && jid.localpart != nil
    let software =
      isAccount
      ? nil
      : group.add("version") {
        try await features[SoftwareVersion.self].software(of: jid, timeout: timeout)
      }
    let time =
      isAccount
      ? nil
      : group.add("time") {
        try await features[EntityTime.self].time(of: jid, timeout: timeout)
      }
    let card =
      withCard
      ? group.add("vCard") {
        try await session.vCard(of: jid == session.identity.account ? nil : jid, timeout: timeout)
      } : nil
    let grace = Grace()
    let parts: [Grace.Part] = [
      .init(feature: Idleness.namespace, label: "idleness") { idleness.giveUp() },
      .init(feature: Software.namespace, label: "version") { software?.giveUp() },
      .init(feature: LocalMoment.namespace, label: "time") { time?.giveUp() },
    ]
    let information = group.add("information", completed: { grace.begin(with: $0, of: jid, parts, session) }) {
      try await features[ServiceDiscovery.self].information(of: jid, timeout: timeout)
    }
    var findings = Findings(jid: jid)
    var failures: [RequestGroupError.Failure] = []
    do {
      try await group.run()
    } catch {
      failures = error.failures
      findings.unanswered = failures.first { !Self.isAnswer($0.error) && !grace.unnamed.contains($0.label) }?.error
    }
    findings.information = try? information.value
    findings.idleness = try? idleness.value
    findings.software = try? software?.value
    findings.time = try? time?.value
    findings.card = (try? card?.value).flatMap { $0 }
    // What its server says of the address says most. That there is no card is said of those who do not exist, too.
    if !findings.hasAnswer, let first = failures.first { throw findings.unanswered ?? first.error }
    findings.nickname = features[UserNickname.self].name(of: jid)
    return findings
  }

  /// How long a client is waited for that has said what it can do, with what it has not named.
  @Client private final class Grace {
    /// What is asked, by which feature a client names that it answers it, and how it is waited for no longer.
    struct Part {
      let feature: String
      let label: String
      let giveUp: @Client () -> Void
    }

    private var timer: LoopTimer?
    /// Parts of the inquiry that are no lack, as they were not named. Bounded by these.
    private(set) var unnamed: Set<String> = []

    /// A client has answered what it can do. What servers say of themselves may leave out what they do.
    func begin(
      with answer: Result<DiscoveryInformation, any Error>, of jid: JID,
      _ parts: [Part], _ session: Session
    ) {
      guard !jid.isBare, case .success(let information) = answer else { return }
      let unnamed = parts.filter { !information.supports($0.feature) }
      self.unnamed = Set(unnamed.map(\.label))
      timer = session.environment.clock.schedule(after: CommandLimits.unnamedFeature) {
        for part in unnamed { part.giveUp() }
      }
    }
  }

  /// Whether a failure is the other side's word, and not a lack of one: a refusal, or an answer that says nothing of what was asked.
  static func isAnswer(_ error: any Error) -> Bool {
    guard let error = error as? RequestError else { return false }
    return error.stanzaError != nil || error.code == .malformedReply
  }

  /// What was answered.
  struct Findings: Sendable {
    var jid: JID
    var information: DiscoveryInformation?
    var software: Software?
    var time: LocalMoment?
    var idleness: Idleness?
    var nickname: String?
    var card: VCard?
    var hasAnswer: Bool {
      information != nil || software != nil || time != nil || idleness != nil || card != nil
    }
    /// Why a part has no answer, not even a refusal: it came too late, or the connection is gone.
    var unanswered: (any Error)?
  }
}
