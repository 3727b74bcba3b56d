// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// Rooms that were ended for everybody, until their bookmarks say so: none of the user's devices enters them by itself any more. Where a
/// service knows nothing of the end of a room (as ejabberd does not), that would make it anew, with the user as its owner.
@Client final class EndedRooms {
  /// Publishes that a room is entered no more. Returns false where there is nothing to publish.
  var publish: (@Client (JID) async throws(RequestError) -> Bool)?

  private let context: FeatureContext
  /// Those whose bookmark is about to say so. Bounded by the rooms that the user was in.
  private var ending: [JID: Task<Void, Never>] = [:]
  /// Those of them for which the stream was lost before that. Bounded by the rooms that the user was in.
  private var unpublished: Set<JID> = []

  init(_ context: FeatureContext) { self.context = context }

  /// A room was ended.
  func add(_ room: JID) {
    guard ending[room] == nil else { return }
    ending[room] = EventLoop.main.start { [weak self, clock = context.clock] in
      // Whoever ended it removes the bookmark next, perhaps on another device: what is published behind that would bring it back.
      try? await clock.sleep(for: FeatureLimits.endedRoomDelay)
      guard !Task.isCancelled else { return }
      await self?.tellEnd(of: room)
      // Whoever cancels it has taken it out.
      if !Task.isCancelled { self?.ending[room] = nil }
    }
  }

  private func tellEnd(of room: JID) async {
    do throws(RequestError) {
      if try await publish?(room) == false { unpublished.remove(room) }
    } catch {
      if error.code == .connectionGone { unpublished.insert(room) }
      guard error.code != .connectionGone, error.code != .cancelled else { return }
      unpublished.remove(room)
      context.remark("That \(room) was ended cannot be kept in its bookmark: \(error)")
    }
  }

  /// Says nothing of the end of a room any more, and returns once what is under way has stopped.
  func forget(_ room: JID) async {
    let end = ending.removeValue(forKey: room)
    end?.cancel()
    await end?.value
  }

  /// The bookmark is about to be changed: there is nothing more to say of the end.
  func settle(_ room: JID) { unpublished.remove(room) }

  /// Whether the bookmark is still to say that the room was ended.
  func isUnpublished(_ room: JID) -> Bool { unpublished.contains(room) }

  func streamLost() {
    for (room, task) in ending {
      task.cancel()
      if isBookmarked(room) { unpublished.insert(room) }
    }
    ending = [:]
  }

  /// What is to be said is said before the run ends. Others wait for it no longer than it takes a server that answers.
  func leaving() async {
    let tasks = ending.filter { isBookmarked($0.key) }.values
    guard !tasks.isEmpty else { return }
    let limit = context.clock.schedule(after: FeatureLimits.endedRoomDelay + FeatureLimits.endedRoomFarewell) {
      for task in tasks { task.cancel() }
    }
    for task in tasks { await task.value }
    limit.cancel()
  }

  private func isBookmarked(_ room: JID) -> Bool {
    // The store has reported its error.
    ((try? context.stores.rooms?.room(room)) ?? nil)?.isBookmarked == true
  }
}
