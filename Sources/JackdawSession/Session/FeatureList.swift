// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop

/// Everything that Jackdaw can do, a line each.
package enum FeatureList {
  /// What a session is made with unless it is told otherwise.
  @Client package static let all: [any Feature.Type] = [
    FriendManager.self,
    PresenceBoard.self,
    MessageArchive.self,
    ArchivePreferences.self,
    RoomInvitations.self,
    Groupchat.self,
    Chat.self,
    MessageCarbons.self,
    MessageTexts.self,
    EncryptedMessages.self,
    FallbackTexts.self,
    OutOfBandData.self,
    MessageCorrection.self,
    MessageReplies.self,
    MessageReactions.self,
    MessageRetraction.self,
    RoomMessageIDs.self,
    DeliveryReceipts.self,
    ChatMarkers.self,
    ChatStates.self,
    FormattedTexts.self,
    MessageStyling.self,
    Spoilers.self,
    CallProposals.self,
    RosterExchange.self,
    SharedFiles.self,
    PlacesInMessages.self,
    Attention.self,
    UnknownContents.self,
    StanzaIDs.self,
    DelayedDelivery.self,
    Ping.self,
    ServiceDiscovery.self,
    EntityCapabilities.self,
    SoftwareVersion.self,
    EntityTime.self,
    LastActivity.self,
    PubSub.self,
    PersonalEvents.self,
    UserNickname.self,
    DisplayedSync.self,
    RoomBookmarks.self,
    RoomSearch.self,
    ClientState.self,
    OfflineMessages.self,
    Blocking.self,
    VCardTemp.self,
    VCard4.self,
    AvatarHash.self,
    InBandRegistration.self,
  ]
}

/// The features of one session, found by their type.
@Client package final class FeatureSet {
  /// Bounded by the features.
  private let byType: [ObjectIdentifier: any Feature]
  /// Bounded by the features.
  private let inOrder: [any Feature]

  /// Features are made, and pass stanzas on, in the order of the list, as far as what they say of each other allows. A list that lacks
  /// what one needs is a bug of ours and traps.
  init(_ types: [any Feature.Type], context: FeatureContext, routes: RouteTable) {
    if let fault = Self.fault(in: types) { preconditionFailure(fault) }
    var (byType, inOrder): ([ObjectIdentifier: any Feature], [any Feature]) = ([:], [])
    for type in Self.ordered(types) {
      let feature = type.init(context)
      byType[ObjectIdentifier(type)] = feature
      inOrder.append(feature)
      feature.install(in: routes)
    }
    (self.byType, self.inOrder) = (byType, inOrder)
  }

  /// What the server is asked to switch on as it binds the resource, by namespaces.
  var switchedOnAtBind: [String] { inOrder.flatMap { type(of: $0).switchedOnAtBind } }

  /// A list of features in which none stands behind one that it has to stand before; else as it was.
  static func ordered(_ types: [any Feature.Type]) -> [any Feature.Type] {
    var left = types.map { (type: $0, before: $0.before) }
    var ordered: [any Feature.Type] = []
    ordered.reserveCapacity(left.count)
    while !left.isEmpty {
      let next = left.firstIndex { candidate in
        !left.contains { other in other.before.contains { $0 == candidate.type } }
      }
      guard let next else { preconditionFailure("features that each have to stand before the other") }
      ordered.append(left.remove(at: next).type)
    }
    return ordered
  }

  /// What a list of features lacks; nil: nothing.
  static func fault(in types: [any Feature.Type]) -> String? {
    for type in types {
      for needed in type.needs where !types.contains(where: { $0 == needed }) {
        return "\(type) needs \(needed) in the list of features"
      }
    }
    return nil
  }

  /// The feature of this type. Asking for one that is not in ``FeatureList`` is a bug of ours.
  package subscript<Wanted: Feature>(_ type: Wanted.Type) -> Wanted {
    guard let feature = byType[ObjectIdentifier(type)] as? Wanted else {
      preconditionFailure("\(type) is not in the feature list")
    }
    return feature
  }

  /// What each feature asks at log-in, by its name, and about what.
  var loginTasks: [(label: String, topic: String, task: @Client () async throws -> Void)] {
    inOrder.compactMap { feature in
      feature.loginTask.map { (type(of: feature).about.title, type(of: feature).askedAtLogin, $0) }
    }
  }

  /// Tells every feature of the stream's life, in the order of the list.
  func phaseChanged(to phase: SessionPhase) {
    for feature in inOrder {
      switch phase {
      case .fresh: feature.streamBegan()
      case .resumed: feature.streamResumed()
      case .interrupted: break
      case .suspended: feature.streamLost()
      case .ended: feature.sessionEnded()
      }
    }
  }

  /// Has every feature say its last, one after the other.
  func leaving() async {
    for feature in inOrder { await feature.leaving() }
  }

  func activityChanged(isActive: Bool) {
    for feature in inOrder { feature.activityChanged(isActive: isActive) }
  }
}
