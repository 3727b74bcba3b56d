// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

extension JID {
  /// True when the localpart or one label of the domain mixes scripts as honest names do not, say a Cyrillic `о` in
  /// `bob`: a sign of an address that was made to look like another one.
  ///
  /// Latin together with Chinese, Japanese or Korean script is no such mixture (Unicode Technical Standard 39, "highly
  /// restrictive"). A name wholly in another script that looks like Latin is not found by this.
  package var isMixedScript: Bool {
    let bare = bare.description
    guard !bare.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
    return bare.unicodeScalars.split { $0 == "@" }.enumerated().contains { position, part in
      // Without an @ there is one part, the domain.
      position == 0 && localpart != nil
        ? Script.isMixed(part) : part.split { $0 == "." }.contains { Script.isMixed($0) }
    }
  }
}
