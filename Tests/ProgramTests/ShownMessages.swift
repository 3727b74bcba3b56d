// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support

extension TestProcess {
  /// The bodies of the messages that it has shown as JSON, in order.
  var shownBodies: [String] { ProgramTests.shownBodies(standardOutput) }
}

extension TestProcess.Outcome {
  /// The bodies of the messages that it has shown as JSON, in order.
  var shownBodies: [String] { ProgramTests.shownBodies(output) }
}

private func shownBodies(_ output: String) -> [String] {
  output.split(separator: "\n").map(String.init).filter { $0.contains(#""event":"message""#) }
    .compactMap { value(of: "body", in: $0) }
}
