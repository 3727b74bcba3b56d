// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// Message displayed synchronization: what is read on one of the account's devices is read on all.
///
/// Each conversation has an item in a private node of our account, which names the message up to which it was read. What other devices
/// publish is applied to the log; what was read here is published a moment later, or, where the program ends before that, by the next
/// one that remains online. Only our own account's word counts (``NodeRoutes/Publishers/ownAccount``), nothing becomes unread, and nothing is
/// published that may stand before what another device published.
@Client package final class DisplayedSync: Feature {
  package nonisolated static let about = FeatureDescription(
    "XEP-0490", "Message Displayed Synchronization", version: "0.1.0", namespaces: [DisplayedMark.namespace],
    scope: "conversations and rooms, by prompts, scripts and 'listen'; no help of the server's", isPartial: true)

  package nonisolated static var needs: [any Feature.Type] { [PubSub.self, PersonalEvents.self, StanzaIDs.self] }

  private let context: FeatureContext
  private let store: (any ReadMarkStore)?
  private let node: PrivateNode
  private var pace = PublishingPace()
  private var timer: LoopTimer?
  /// The node is read, or something is published.
  private var work: Task<Void, Never>?
  private let workEnd = WaitingList<Void>()
  /// The node was asked for on this stream.
  private var hasAsked = false
  /// What others published is known, and nothing was published on this stream.
  private var isNodeRead = false
  /// Conversations of which a mark waits for its message. Bounded by the store.
  private var pending: Set<JID> = [] { didSet { followArrivals() } }
  private var willApplyPending = false
  /// Marks that came while another program had the log locked. Bounded by ``FeatureLimits/displayedItems``.
  private var unkept: [DisplayedMark] = []
  private var again: LoopTimer?
  /// While a mark waits: else it would be asked about each message that comes.
  private var arrivals: Subscription?
  /// Called when what another device has read was noted in the log.
  package var onApplied: (@Client () -> Void)?

  /// Does nothing where no log is kept.
  package init(_ context: FeatureContext) {
    self.context = context
    store = context.stores.readMarks
    node = PrivateNode(
      DisplayedMark.namespace, limit: FeatureLimits.displayedItems,
      shortfall: "The server may keep what was read in one conversation only", context)
    guard let store else { return }
    context.links.nodes.on(DisplayedMark.namespace, of: .ownAccount) { [weak self] in self?.take($0) }
    context.intake.onCaughtUp = { [weak self] in self?.archiveWasRead() }
    context.links.whenRoomIsRead = { [weak self] in self?.roomWasRead($0) }
    store.whenMarked { [weak self] in
      guard let self else { return }
      perform(pace.marked())
    }
  }

  package func streamBegan() { forgetStream() }
  package func streamLost() { forgetStream() }

  private func forgetStream() {
    work?.cancel()
    ended()
    pace.close()
    node.streamLost()
    (timer, hasAsked, isNodeRead) = (nil, false, false)
  }

  // MARK: Other devices

  private func take(_ event: PubSubEvent) {
    // Who takes back what was published makes nothing unread.
    guard case .items(let items, _) = event.change else { return }
    apply(items)
  }

  private func apply(_ items: [PubSubItem]) {
    let isRoom = { [context] in context.links.rooms?.isRoom($0) ?? false }
    let marks = items.compactMap { DisplayedMark($0, of: context.identity.account, isRoom: isRoom) }
    guard let store, !marks.isEmpty || !unkept.isEmpty else { return }
    context.intake.logArrivals()
    unkept += marks
    do {
      pending = try store.apply(unkept, isUpToDate: context.intake.isUpToDate)
      unkept = []
      onApplied?()
    } catch let error as any StoreFailure where error.isBusy && unkept.count <= FeatureLimits.displayedItems {
      again = context.clock.schedule(after: SessionLimits.logPause) { [weak self] in
        self?.apply([])
        self?.publishIfKnown()
      }
    } catch {
      // The store has reported its error; the next log-in reads them once more.
      unkept = []
    }
  }

  private func followArrivals() {
    guard !pending.isEmpty else { return arrivals = nil }
    arrivals = arrivals ?? context.events.on(MessageArrived.self) { [weak self] in self?.messageArrived($0) }
  }

  private func messageArrived(_ message: MessageArrived) {
    guard !willApplyPending else { return }
    guard pending.contains(message.conversation) else { return }
    willApplyPending = true
    // Those that came with it are in the log by then.
    context.clock.nextTurn { [weak self] in
      self?.willApplyPending = false
      self?.applyPending()
    }
  }

  /// All is in the log that was said in a room until now: what another device has read there and is not in it never will be.
  private func roomWasRead(_ room: JID) {
    // The store has reported its error; it is done again with the next entering.
    guard let store, let left = try? store.applyPending(upToDate: room) else { return }
    pending = left
    onApplied?()
  }

  private func applyPending() {
    // The store has reported its error; it is done again with the next message.
    guard let left = try? store?.applyPending(isUpToDate: context.intake.isUpToDate) else { return }
    pending = left
    onApplied?()
  }

  // MARK: The node

  /// By now the server has asked what our capabilities are and sends what is published from here on; what was published before is
  /// asked for, and nearly all that it speaks of is in the log.
  private func archiveWasRead() {
    guard !hasAsked else { return applyPending() }
    hasAsked = true
    begin { await $0.readNode() }
  }

  private func readNode() async {
    let items: [PubSubItem]
    do throws(RequestError) {
      items = try await node.items() ?? []
    } catch {
      return context.remark("What was read on other devices cannot be asked for: \(error)")
    }
    guard !Task.isCancelled else { return }
    apply(items)
    applyPending()
    isNodeRead = true
  }

  // MARK: This one

  /// What an earlier run left goes first. What could not be applied yet may stand behind what would be published.
  private func publishIfKnown() {
    guard isNodeRead, unkept.isEmpty else { return }
    isNodeRead = false
    perform(pace.open())
  }

  private func perform(_ action: PublishingPace.Action) {
    switch action {
    case .nothing: break
    case .startTimer:
      timer = context.clock.schedule(after: FeatureLimits.displayedDelay) { [weak self] in
        guard let self else { return }
        perform(pace.timerFired())
      }
    case .publish: begin { await $0.publish() }
    }
  }

  private func begin(_ work: @escaping @Client (DisplayedSync) async -> Void) {
    self.work = EventLoop.main.start { [weak self] in
      if let self { await work(self) }
      guard !Task.isCancelled else { return }
      self?.ended()
      self?.publishIfKnown()
    }
  }

  /// Publishes what there is, as long as that is to be done at once.
  private func publish() async {
    while true {
      guard let isComplete = await publishOnce(), !Task.isCancelled else { return }
      let next = pace.published(isComplete: isComplete)
      guard next == .publish else { return perform(next) }
    }
  }

  /// - Returns: whether that was all; nil where the server takes nothing on this stream.
  private func publishOnce() async -> Bool? {
    // The store has reported its error; what is to be published stays there.
    guard let store, let marks = try? store.unpublished(limit: FeatureLimits.displayedAtOnce) else { return true }
    var (published, refused) = (0, 0)
    for mark in marks {
      do throws(RequestError) {
        try await node.publish(mark.mark.item(of: context.identity.account))
      } catch {
        guard !Task.isCancelled else { return nil }
        context.remark("That \(mark.mark.conversation) was read cannot be published: \(error)")
        refused += 1
        // Without an answer there is none for the others either; one refusal may be about one of them.
        if error.stanzaError == nil || refused > published { break }
        continue
      }
      published += 1
      try? store.wasPublished(mark)
    }
    guard refused <= published else {
      pace.close()
      return nil
    }
    return marks.count < FeatureLimits.displayedAtOnce || published == 0
  }

  private var hasUnpublished: Bool {
    // The store has reported its error.
    ((try? store?.unpublished(limit: 1)) ?? nil)?.isEmpty == false
  }

  private func ended() {
    work = nil
    workEnd.end(.success(()))
  }

  package func leaving() async {
    perform(pace.leave())
    // What others published is asked for again by the next run that remains online.
    guard hasUnpublished else {
      work?.cancel()
      return
    }
    let end = context.clock.now + FeatureLimits.displayedFarewell
    while work != nil, context.clock.now < end {
      try? await workEnd.wait(for: end - context.clock.now, on: context.clock) { CancellationError() }
    }
    work?.cancel()
  }
}
