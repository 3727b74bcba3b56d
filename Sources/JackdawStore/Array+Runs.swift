// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

extension Array {
  /// Where those stand that go on as `goesOn` says of each and the one behind it: what one statement can do for many.
  func runs(where goesOn: (Element, Element) -> Bool) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start = startIndex
    for index in indices where index + 1 == endIndex || !goesOn(self[index], self[index + 1]) {
      runs.append(start..<index + 1)
      start = index + 1
    }
    return runs
  }
}
