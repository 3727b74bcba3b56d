// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop

/// Ties subscriptions to the life of their owner: they end when the bag is emptied or released with it.
@Client package final class SubscriptionBag {
  private var subscriptions: [Subscription] = []

  package init() {}

  /// How many it holds, those that have ended among them.
  package var count: Int { subscriptions.count }

  /// Keeps it until ``removeAll()``, or until the bag is released.
  package func add(_ subscription: Subscription) { subscriptions.append(subscription) }

  /// Ends them all. The bag can be filled again.
  package func removeAll() {
    let ended = subscriptions
    subscriptions = []
    for subscription in ended { subscription.cancel() }
  }
}

extension Subscription {
  /// Leaves this subscription to a bag.
  package func store(in bag: SubscriptionBag) { bag.add(self) }
}
