// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML

/// Going on with a stream that was cut, in place of binding a resource (XEP-0198 5).
extension StreamMachine {
  static func resumeRequest(_ resumption: StreamResumption) -> Element {
    Element(
      "resume", StreamManagement.namespace, ["previd": resumption.id, "h": String(resumption.handled)])
  }

  mutating func resume(
    _ element: Element, _ binding: Binding, _ resumption: StreamResumption, features: Element
  ) -> [Action] {
    var binding = binding
    switch (element.name, element.namespace) {
    case ("resumed", StreamManagement.namespace):
      return resumed(element, binding, resumption, features: features)
    case ("failed", StreamManagement.namespace):
      binding.resumption = nil
      // A number that cannot be read is as good as none: the stream is lost either way.
      binding.continuation = .lost(handled: try? StreamManagement.count(in: element))
      return askForResource(binding, features: features)
    case _:
      guard disregard(element, &binding) else { return unexpected(element) }
      state = .resuming(binding, resumption, features: features)
      return []
    }
  }

  /// - Parameter features: nil: they come behind what is sent again.
  mutating func resumed(
    _ element: Element, _ binding: Binding, _ resumption: StreamResumption, features: Element?
  ) -> [Action] {
    guard element.attribute("previd", equals: resumption.id) else {
      return violate("The server resumed another stream than the one that was asked for.")
    }
    let handled: UInt32?
    do throws(StreamManagementError) {
      handled = element.attribute("h") == nil ? nil : try StreamManagement.count(in: element)
    } catch {
      return violate(error.description)
    }
    return loggedIn(
      LoginOutcome(
        jid: resumption.jid, continuation: .resumed(handled: handled), mechanism: binding.mechanism,
        channelBinding: binding.channelBinding, features: features, upgrade: binding.upgrade, memory: binding.memory,
        warning: binding.warning, remarks: binding.remarks))
  }
}
