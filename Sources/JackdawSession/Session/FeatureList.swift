// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop

/// Everything that Jackdaw can do, a line each.
package enum FeatureList {
  /// What a session is made with unless it is told otherwise.
  @Client package static let all: [any Feature.Type] = [
    FriendManager.self,
    PresenceBoard.self,
    // Before whatever else looks at a message: what an archive sends is none.
    MessageArchive.self,
    Chat.self,
    // Before whatever else looks at a message: what is wrapped counts, and not what it is wrapped in.
    MessageCarbons.self,
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
  private var byType: [ObjectIdentifier: any Feature] = [:]
  private var inOrder: [any Feature] = []

  init(_ types: [any Feature.Type], context: FeatureContext, routes: RouteTable) {
    for type in types {
      let feature = type.init(context)
      byType[ObjectIdentifier(type)] = feature
      inOrder.append(feature)
      feature.install(in: routes)
    }
  }

  /// The feature of this type. Asking for one that is not in ``FeatureList`` is a bug of ours.
  package subscript<Wanted: Feature>(_ type: Wanted.Type) -> Wanted {
    guard let feature = byType[ObjectIdentifier(type)] as? Wanted else {
      preconditionFailure("\(type) is not in the feature list")
    }
    return feature
  }

  /// What each feature asks at log-in, by its name.
  var loginTasks: [(label: String, task: @Client () async throws -> Void)] {
    inOrder.compactMap { feature in feature.loginTask.map { (type(of: feature).about.title, $0) } }
  }

  func phaseChanged(to phase: SessionPhase) {
    for feature in inOrder { feature.phaseChanged(to: phase) }
  }

  func activityChanged(isActive: Bool) {
    for feature in inOrder { feature.activityChanged(isActive: isActive) }
  }
}
