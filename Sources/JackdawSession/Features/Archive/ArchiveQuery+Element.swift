// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML

extension ArchiveQuery {
  /// The `<query/>` whose results carry `id`.
  func element(id: String) -> Element {
    var form = DataForm(submitting: MessageArchive.namespace, [:])
    func add(_ name: String, _ value: String?) {
      if let value { form.fields.append(DataForm.Field(name, values: [value])) }
    }
    add("with", with?.description)
    add("start", start?.description)
    add("end", end?.description)
    let part: ResultSetRequest.Start =
      if let after { .after(after) } else if let before { .before(before) } else if takesNewest { .lastPage } else {
        .first
      }
    let set = ResultSetRequest(limit: boundedLimit, start: part).element
    let isFiltered = form.fields.count > 1
    return Element(
      "query", MessageArchive.namespace, ["queryid": id], isFiltered ? [form.element, set] : [set])
  }
}
