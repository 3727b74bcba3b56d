// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The hash over what the server offered that it may sign in its first SCRAM message (XEP-0474 0.5, attribute `h`): it
/// differs where somebody between has taken mechanisms or channel-binding types from the list.
enum DowngradeHash {
  /// Between the entries of a list: no character of XML 1.0, so no entry can hold it.
  private static let entrySeparator: UInt8 = 0x1E
  /// Between the mechanisms and the channel-binding types.
  private static let listSeparator: UInt8 = 0x1F

  static func text(of offer: SASLOffer) -> [UInt8] {
    var text = joined(offer.mechanisms)
    if let types = offer.channelBindingTypes {
      text.append(listSeparator)
      text += joined(types)
    }
    return text
  }

  /// Sorted by octets (RFC 4790 9.3): Swift's own order of strings is another.
  private static func joined(_ entries: [String]) -> [UInt8] {
    let sorted = entries.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    return Array(sorted.joined(separator: [entrySeparator]))
  }
}
