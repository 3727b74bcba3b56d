// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol
import Synchronization

/// The keys that tests of sessions log in with. Both ends of each log-in need the same ones, which nearly all tests have in common, and
/// to derive them takes thousands of rounds; whether they are derived right is for the tests of SCRAM.
package enum DerivedKeys {
  private static let known = Mutex<[(derivation: SCRAMDerivation, keys: SCRAMKeys)]>([])

  /// What ``SCRAMDerivation/run(while:)`` gives, derived by the first who asks.
  package static func keys(of derivation: SCRAMDerivation) -> SCRAMKeys? {
    if let known = known.withLock({ $0.first { $0.derivation == derivation } }) { return known.keys }
    guard let keys = derivation.run() else { return nil }
    known.withLock { $0.append((derivation, keys)) }
    return keys
  }
}
