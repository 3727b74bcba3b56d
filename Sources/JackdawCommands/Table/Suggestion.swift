// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What somebody who mistyped probably meant.
enum Suggestion {
  /// The candidate with the fewest changes to `word`, if they are few: one in each three letters, and one more in
  /// five that begin alike. Any two letters are near something.
  /// - Parameter areNames: the candidates can be typed; of other words one letter in five is mistyped at most, as those that somebody may
  ///   mean are so many that anything is near one.
  static func nearest(to word: String, among candidates: [String], areNames: Bool = true) -> String? {
    let typed = letters(word.lowercased())
    return
      candidates
      .map { (name: $0, letters: letters($0)) }
      .map { (name: $0.name, changes: distance(typed, $0.letters), shared: sharedStart(typed, $0.letters)) }
      .filter {
        $0.changes
          <= (areNames ? typed.count / 3 + (typed.count >= 5 && $0.shared >= 2 ? 1 : 0) : min(typed.count / 5, 1))
      }
      .min { ($0.changes, -$0.shared) < ($1.changes, -$1.shared) }?.name
  }

  /// The dashes of an option are not mistyped.
  private static func letters(_ word: String) -> [Unicode.Scalar] { Array(word.unicodeScalars.drop { $0 == "-" }) }

  /// Of two that are as near, the one that begins as was typed is meant.
  private static func sharedStart(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    zip(left, right).prefix { $0 == $1 }.count
  }

  /// Insertions, deletions, replacements and swaps of neighbours that turn one into the other (optimal string alignment).
  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for i in left.indices {
      var row = [i + 1]
      row.reserveCapacity(right.count + 1)
      for j in right.indices {
        var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (left[i] == right[j] ? 0 : 1))
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] { best = min(best, beforeLast[j - 1] + 1) }
        row.append(best)
      }
      beforeLast = last
      last = row
    }
    return last[right.count]
  }
}
