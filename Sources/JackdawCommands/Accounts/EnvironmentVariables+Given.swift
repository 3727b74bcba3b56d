// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

extension EnvironmentVariables {
  /// What a variable is; nil: it is not set, or empty, which counts as the same.
  func given(_ name: String) -> String? {
    guard let value = self[name], !value.isEmpty else { return nil }
    return value
  }
}
