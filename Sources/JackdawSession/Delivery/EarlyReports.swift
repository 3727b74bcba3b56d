// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// Reports about messages of ours that the log does not have yet, in the order of arrival.
///
/// Another device sent such a message: its copy arrives in the same read of the socket, it is on the same page of the archive, or it is
/// deferred. Anybody may make up reports, so their number is limited.
struct EarlyReports {
  /// Other devices of ours may give messages to two people one id.
  private struct Key: Hashable {
    var id: String
    var peer: JID
  }

  private let limit: Int
  /// Each state of a message once.
  private var recent: [Key: [MessageReport]] = [:]
  private var earlier: [Key: [MessageReport]] = [:]

  /// - Parameter limit: for so many messages at least the last reports are kept, and for twice as many at most.
  init(limit: Int) { self.limit = limit }

  /// Whether none is kept.
  var isEmpty: Bool { recent.isEmpty && earlier.isEmpty }

  /// Keeps a report until its message is in the log.
  mutating func keep(_ report: MessageReport) {
    let key = Key(id: report.id, peer: report.peer)
    var reports = remove(key)
    if !reports.contains(where: { $0.state.name == report.state.name }) { reports.append(report) }
    if recent.count >= limit { age() }
    recent[key] = reports
  }

  /// Those about a message that is in the log now; they are not kept any longer.
  mutating func take(_ id: String, with peer: JID) -> [MessageReport] { remove(Key(id: id, peer: peer)) }

  /// Forgets the reports that were kept before this was last called.
  mutating func age() { (earlier, recent) = (recent, [:]) }

  private mutating func remove(_ key: Key) -> [MessageReport] {
    recent.removeValue(forKey: key) ?? earlier.removeValue(forKey: key) ?? []
  }
}

extension Delivery {
  /// The log has no message that the report is about, or contradicts it.
  func keepEarly(_ report: MessageReport) {
    // A message that is sent from here is in the log before that.
    guard outbox[report.id]?.peer != report.peer else { return }
    earlyReports.keep(report)
    forgetEarlyReportsLater()
  }

  private func forgetEarlyReportsLater() {
    guard forgettingEarly == nil else { return }
    forgettingEarly = core.clock.schedule(after: SessionLimits.earlyReportAge) { [weak self] in
      guard let self else { return }
      forgettingEarly = nil
      if hasDeferred?() != true { earlyReports.age() }
      if !earlyReports.isEmpty { forgetEarlyReportsLater() }
    }
  }

  /// Messages have their places in the log: the reports about ours among them that were kept are stored on the next turn, when those of
  /// the stream have been posted.
  /// - Parameter areNews: false: the messages are not posted, and the reports are not either.
  func wereLogged(_ messages: [ArrivedMessage], areNews: Bool) {
    guard !earlyReports.isEmpty else { return }
    var kept: [MessageReport] = []
    for message in messages where message.event.carbon == .sent {
      guard let id = message.event.id else { continue }
      kept += earlyReports.take(id, with: message.conversation)
    }
    guard !kept.isEmpty else { return }
    if !areNews {
      kept = kept.map { MessageReport(id: $0.id, peer: $0.peer, state: $0.state, origin: .told) }
    }
    reports += kept.prefix(max(0, SessionLimits.rememberedMessages - reports.count))
    tellStoreSoon()
  }
}
